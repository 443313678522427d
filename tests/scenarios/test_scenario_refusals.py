"""Saboteurs of refusals: for each proof, a screen on which it alone sees what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import msgspec
import pytest
from tiny_apps import MAIL, away, control, fn, inbox

from factory.core.rng import Stream
from factory.scenarios import proofs as proof_module
from factory.scenarios import query as query_module
from factory.scenarios.asks import Ask, Positive, View
from factory.scenarios.elements import Box, Element
from factory.scenarios.near_names import near_names
from factory.scenarios.proofs import Proof, Refusal, geometry, level, nothing, proofs_of
from factory.scenarios.query import Query, Relation, only
from factory.scenarios.search import copies, icons_like, likeness, likest, shared_meaning
from factory.scenarios.table import Table


def positive(query: Query, style: str, table: Table, **spoken: str) -> Positive:
    meant = only(query, table)
    assert meant is not None
    return Positive(Ask(style=style, query=query, spoken=spoken), meant)


def edited(
    code: str, parent: Positive, slot: str, spoken: dict[str, str] | None = None,
    hidden: Element | None = None, said: tuple[str, ...] = (), icons: tuple[str, ...] = (),
    **changes: object,
) -> Refusal:  # fmt: skip
    query = msgspec.structs.replace(parent.ask.query, **changes)
    ask = msgspec.structs.replace(parent.ask, query=query, spoken=spoken or parent.ask.spoken)
    return Refusal(code=code, ask=ask, slot=slot, parent=parent, hidden=hidden,
                   said=said, icons=icons)  # fmt: skip


TRANSLATING = replace(
    MAIL, fn={**MAIL.fn, "put": fn("Put", "have the letter translated", "languages", ("", ""))}
)
"""The app with one more function, which no phrase of the app MAIL asks for."""


def view(table: Table) -> View:
    return View(table, TRANSLATING, "en")


def refusals(table: Table) -> dict[str, Refusal]:
    """One sound refusal of each kind on the screen ``inbox``."""
    compose = positive(Query(text="compose"), "text", table, text="Compose")
    writes = positive(Query(fn="compose"), "function", table)
    tabs = positive(Query(role="tab", section="nav", ordinal=2), "ordinal", table)
    below = Relation("below", Query(text="sync", enabled=False))
    under = positive(Query(role="checkbox", relation=below), "relation", table, anchor="Sync")
    above = Relation("above", below.anchor)
    corner = positive(Query(role="link", zone="bottom_right"), "position", table)
    state = positive(
        Query(role="checkbox", text="sync", state=("checked", "true")), "state", table, text="Sync"
    )
    blue = positive(Query(role="button", colour="blue"), "appearance", table)
    pencil = positive(Query(icon="pencil"), "appearance", table)
    both = Query(text="compose", role="button", icon="pencil")
    pair = positive(both, "text", table, text="Compose")
    hidden = {
        code: table.by_id(id) for code, id in zip(HIDDEN, ("#h1", "#h2", "#h3", "#h4"), strict=True)
    }
    named = {
        code: edited(code, compose, "text", {"text": e.text}, e, text=e.words[0])
        for code, e in hidden.items() if e
    }  # fmt: skip
    off = table.by_id("#d")
    assert off is not None
    return {
        "N1": edited(
            "N1", writes, "fn", said=("Settings", "change how the app works"), icons=("settings",),
            fn="settings",
        ),
        "N2 colour": edited("N2", blue, "colour", colour="purple"),
        "N2 icon": edited("N2", pencil, "icon", icon="bell"),
        "N3": edited("N3", compose, "text", {"text": "Compose 2"}, text="compose 2"),
        "N4": edited("N4", state, "state", state=("checked", "false")),
        **named,
        "N7": edited("N7", compose, "text", {"text": "Archive"}, off, text="archive"),
        "N8 ordinal": edited("N8", tabs, "ordinal", ordinal=5),
        "N8 relation": edited("N8", under, "relation", relation=above),
        "N8 zone": edited("N8", corner, "zone", zone="bottom_left"),
        "N9": edited("N9", writes, "fn", {"do": "pay up"}, said=("Pay now",), fn="shop.pay"),
        "N10": edited("N10", writes, "fn", {"do": "translate the letter"}, fn="absent"),
        "N12": edited("N12", pair, "icon", icon="reply"),
    }  # fmt: skip


HIDDEN = ("N5", "N6", "N11", "N13")
CASES = (
    "N1", "N2 colour", "N2 icon", "N3", "N4", *HIDDEN, "N7", "N8 ordinal", "N8 relation", "N8 zone",
    "N9", "N10", "N12",
)  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_sound_refusal_stands(case: str) -> None:
    table = inbox()
    stands = proofs_of(refusals(table)[case], view(table))
    assert stands and all(proof.ok for proof in stands)


def tampered(table: Table, id: str, **changes: object) -> Table:
    """The screen with fields of one element changed."""
    rows = [msgspec.structs.replace(e, **changes) if e.id == id else e for e in table.elements]
    return msgspec.structs.replace(table, elements=tuple(rows))


def shown(text: str, kind: str = "text", **more: object) -> Callable[[Table], Table]:
    """One more element, static and without a function, that says or shows something."""
    extra = control("#new", 600, 300, kind, text, kind=kind, target=False, **more)
    return lambda table: msgspec.structs.replace(table, elements=(*table.elements, extra))


def hiding(role: str, text: str, **more: object) -> Callable[[Table], Table]:
    """One more control, scrolled out of view."""
    extra = away("#out", role, text, "scroll", "scrolled_out", **more)
    return lambda table: msgspec.structs.replace(table, elements=(*table.elements, extra))


def changed(id: str, **changes: object) -> Callable[[Table], Table]:
    return lambda table: tampered(table, id, **changes)


SABOTEURS: dict[str, tuple[str, Callable[[Table], Table]]] = {
    "lexical: a text says the label": ("N1", shown("All settings")),
    "lexical: a text says the label nearly": ("N1", shown("Setting")),
    "lexical: a text that means the same": ("N1", shown("Preferences")),
    "lexical: only a generated text says it": ("N1", shown("", words=("settings",))),
    "lexical: the phrase of what is missing": ("N10", shown("Translate the letters")),
    "lexical: the label of the other app": ("N9", shown("Pay now!")),
    "meaning: a function in view that does nearly that": (
        "N10", changed("#t3", fn="put", section="")
    ),
    "icon: an icon that means the function": ("N1", shown("", "image", icon="cog")),
    "icon: an icon that looks alike": ("N2 icon", shown("", "image", icon="bell-ring")),
    "icon: a picture that nobody marked": (
        "N2 icon", shown("", "image", marked=False, shows=("bell-ring",))
    ),
    "colour: another button might be called so": ("N2 colour", changed("#b", near=("purple",))),
    "colour: a switch might be called so": (
        "N2 colour", changed("#t0", role="switch", near=("purple",))
    ),
    "copy: a plural of the near name": ("N3", shown("Composes 2")),
    "copy: the near name within a longer one": ("N3", shown("Please compose 2 more")),
    "state: page and template disagree": ("N4", changed("#k0", unsure=("checked",))),
    "state: nobody marked it": ("N4", changed("#k0", marked=False)),
    "unseen: it is in view after all": ("N5", changed("#h1", seen="yes")),
    "unseen: it was not scrolled but covered": ("N5", changed("#h1", reason="occluded")),
    "unseen: the template did not mean it": ("N6", changed("#h2", hidden="scroll")),
    "unseen: the menu is open": ("N11", changed("#h3", reason="partly_hit", seen="doubt")),
    "unseen: there is ink": ("N13", changed("#h4", ink=3.0)),
    "copy: a visible copy of what is scrolled out": ("N5", shown("Older mails")),
    "icon: its icon is in view elsewhere": ("N13", changed("#h4", icon="trash")),
    "shut: it takes a press": ("N7", changed("#d", target=True)),
    "shut: it is covered, not disabled": ("N7", changed("#d", reason="occluded")),
    "state: the template did not mean it disabled": ("N7", changed("#d", unsure=("disabled",))),
    "geometry: a tab out of view": ("N8 ordinal", hiding("tab", "Folder 5", section="nav")),
    "geometry: one above after all": ("N8 relation", changed("#k1", box=(10, 160, 100, 190))),
    "geometry: within the margin": ("N8 relation", changed("#k1", box=(10, 210, 100, 240))),
    "geometry: nearly in that corner": ("N8 zone", changed("#r", box=(150, 500, 260, 530))),
    "parts: no element has that half": ("N12", changed("#b", icon="star")),
    "parts: one has both halves": ("N12", changed("#b", text="Compose", words=("compose",))),
    "nothing: it is there": ("N3", shown("Compose 2")),
    "nothing: it may be there": ("N3", shown("Compose 2", seen="doubt")),
    "nothing: another of that name is in that state": (
        "N4", changed("#k1", text="Sync", words=("sync",))
    ),
    "inverse: the parent means two": ("N3", shown("Compose")),
}  # fmt: skip


def on_sabotaged_screen(name: str) -> tuple[Refusal, View]:
    """The refusal that was sound before, with its elements as they are now."""
    case, sabotage = SABOTEURS[name]
    sound, table = refusals(inbox())[case], sabotage(inbox())
    parent = table.by_id(sound.parent.element.id)
    hidden = table.by_id(sound.hidden.id) if sound.hidden else None
    assert parent is not None
    now = Positive(sound.parent.ask, parent)
    return msgspec.structs.replace(sound, parent=now, hidden=hidden), view(table)


@pytest.mark.parametrize("name", SABOTEURS)
def test_a_sabotaged_screen_fells_the_refusal(name: str) -> None:
    assert proofs_of(*on_sabotaged_screen(name)) is None


ALONE = sorted({name.split(":")[0] for name in SABOTEURS} - {"geometry"})


@pytest.mark.parametrize("proof", ALONE)
def test_no_proof_is_idle(proof: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the proof silenced, one of its saboteurs gets through: no other proof sees it."""
    test = getattr(proof_module, proof)

    def silenced(no: Refusal, on: View) -> Proof:
        return msgspec.structs.replace(test(no, on), ok=True)

    def without(tests: tuple[object, ...]) -> tuple[object, ...]:
        return tuple(silenced if one is test else one for one in tests)

    monkeypatch.setattr(proof_module, proof, silenced)
    monkeypatch.setattr(proof_module, "ALWAYS", without(proof_module.ALWAYS))
    kinds = {code: without(tests) for code, tests in proof_module.PROOFS.items()}
    monkeypatch.setattr(proof_module, "PROOFS", kinds)
    own = [name for name in SABOTEURS if name.startswith(f"{proof}:")]
    assert any(proofs_of(*on_sabotaged_screen(name)) for name in own)


def careless(side: str, box: Box, anchor: Box) -> bool:
    """Above is above, by however little."""
    return box[1] < anchor[1] if side == "above" else box[1] > anchor[1]


def test_margins_are_measured_again_where_queries_are_careless(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    refusal, on = on_sabotaged_screen("geometry: within the margin")
    monkeypatch.setattr(query_module, "stands", careless)
    assert nothing(refusal, on).ok
    assert not geometry(refusal, on).ok


def test_corners_are_measured_again_where_queries_are_careless(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    refusal, on = on_sabotaged_screen("geometry: nearly in that corner")
    monkeypatch.setattr(query_module, "in_zone", lambda *_: False)
    assert nothing(refusal, on).ok
    assert not geometry(refusal, on).ok


def test_functions_that_are_pressed_for_one_another_are_not_asked_for_as_absent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = inbox()
    made = refusals(table)["N10"]
    assert proof_module.meaning(made, view(table)).ok
    akin = frozenset({made.ask.query.fn or "", "compose"})
    monkeypatch.setattr(proof_module, "AKIN", (akin,))
    assert not proof_module.meaning(made, view(table)).ok


def test_two_edits_are_one_too_many() -> None:
    table = inbox()
    twice = edited(
        "N3", refusals(table)["N3"].parent, "text", {"text": "Quit"}, text="quit", role="tab"
    )
    assert proofs_of(twice, view(table)) is None


def test_a_refusal_is_hard_where_one_clause_is_too_many() -> None:
    table = inbox()
    made = refusals(table)
    assert level(made["N4"], view(table)) == "hard"
    assert level(made["N5"], view(table)) == "hard"
    assert level(made["N10"], view(table)) == "easy"


def test_likeness_reads_windows_and_meaning() -> None:
    table = inbox()
    assert likeness("export csv", "export pdf now") >= 0.6
    assert likeness("reply", "reply to all") == 1.0
    assert likeness("schedule", "send") < 0.6
    assert likest(["Bin"], table).ratio < 0.6
    assert likest(["bin"], tampered(table, "#c", words=("bin",))).ratio == 1.0
    assert [e.id for e in icons_like("trash", table)] == ["#c"]
    assert copies("folders 2", table) == ["folder 2"]


@pytest.mark.parametrize(
    ("text", "lang", "near"),
    [("Export PDF", "en", "Export CSV"), ("周一例会", "zh", "周二例会"), ("€20", "en", "£20")],
)  # fmt: skip
def test_near_names_exchange_one_term(text: str, lang: str, near: str) -> None:
    made = near_names(text, [], lang, Stream("n"))
    assert near in made and text not in made


def test_phrases_share_meaning_by_words_that_carry_it() -> None:
    assert shared_meaning("see every transaction", "see the transactions") == 1.0
    assert shared_meaning("archive the message", "delete the message") == 0.5
    assert shared_meaning("what is this", "what is that") == 0.0
    assert shared_meaning("翻译这封邮件", "把邮件翻译成中文") > 0.3


def test_near_numbers_keep_their_digits() -> None:
    for i in range(50):
        for name in near_names("Invoice 12", [], "en", Stream(f"n{i}")):
            assert name != "Invoice 12" and len(name) == len("Invoice 12")
