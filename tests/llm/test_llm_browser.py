"""In the browser: no page of a model reaches a machine or a file; gates say what is no page."""

from __future__ import annotations

import socket
import socketserver
import threading
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from author import content, layout, page

from factory.core.errors import Rejected
from factory.core.rng import Stream
from factory.engine.llm_workshop import LlmWorkshop
from factory.llm.compose import WrittenPage, html_page, plan_page
from factory.llm.gates import check_page
from factory.llm.plan import Content, Layout
from factory.llm.reasons import Page
from factory.llm.sanitise import html_in, sanitise
from factory.scenarios import kits
from factory.scenarios.table import table_of
from factory.scenarios.tasks import tasks_of
from factory.web.browser import BrowserChoice
from factory.web.verdict import Desk, PageFault, Window, open_desk
from factory.web.verdict.judge import Judged
from factory.web.verdict.pixels import rgb_of

CELL = {"platform": "web", "theme": "light", "lang": "en", "window": "1280x800@1", "kit": "plain"}
RED = (255, 0, 0)


@pytest.fixture(scope="module")
def desk(chromium: BrowserChoice) -> Iterator[Desk]:
    with open_desk() as opened:
        yield opened


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> str:
    return kits.write_shell("plain", tmp_path_factory.mktemp("shell"), kits.POLICY)


class Ear(socketserver.ThreadingTCPServer):
    """A port that counts who knocks."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), socketserver.BaseRequestHandler)
        self.knocks = 0

    def process_request(self, request: object, client_address: object) -> None:
        self.knocks += 1
        self.shutdown_request(request)  # pyright: ignore[reportArgumentType]


@pytest.fixture
def ear() -> Iterator[Ear]:
    with Ear() as listening:
        thread = threading.Thread(target=listening.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield listening
        listening.shutdown()


@pytest.fixture
def secret(tmp_path: Path) -> str:
    """The address of a red picture, which a page must not be able to show."""
    path = tmp_path / "secret.png"
    cv2.imwrite(str(path), np.full((90, 90, 3), (0, 0, 255), np.uint8))
    return path.resolve().as_uri()


def shown(desk: Desk, shell: str, body: str) -> Judged:
    return desk.check_body(shell, f'<div class="sc">{body}</div>', Window(640, 480), static=True)


def has_red(judged: Judged) -> bool:
    return bool((rgb_of(judged.png) == RED).all(axis=2).any())


@pytest.mark.parametrize("way", ["html", "layout"])
def test_what_slips_through_everything_still_reaches_nobody(
    desk: Desk, shell: str, ear: Ear, secret: str, way: str
) -> None:
    """The last line of defence alone: HTML that the sanitiser never saw, a plan unchecked."""
    away = f"http://127.0.0.1:{ear.server_address[1]}/x"
    body = (
        f"<style>@import '{away}'; p{{background:url({away})}} @font-face{{font-family:f;"
        f"src:url({away})}} b{{font-family:f}}</style><p><b>words</b></p>"
        f"<link rel=stylesheet href='{away}'><link rel=preconnect href='{away}'>"
        f"<script>fetch('{away}')</script><div onclick=\"fetch('{away}')\">x</div>"
        f"<form action='{away}'><button>Go</button></form><base href='{away}'>"
        f"<svg><use href='{away}#a'/><image href='{away}' width=9 height=9 /></svg>"
        f"<object data='{away}'></object><embed src='{away}'><video src='{away}' autoplay></video>"
        f"<iframe src='{secret}' width=99 height=99></iframe>"
        f"<div style='width:90px;height:90px;background:url({secret})'></div>"
    )
    if way == "layout":
        own = Content.model_validate(content(1)).model_copy(update={"title": body})
        body = plan_page(own, Layout.model_validate(layout(1)), "root", CELL).page.body
    judged = shown(desk, shell, body)
    assert "Go" in [t.name for t in judged.verdict.accepted if t.role == "button"]
    assert not has_red(judged) and ear.knocks == 0


def test_a_refresh_that_slips_through_leads_nowhere_and_ends_the_page(
    desk: Desk, shell: str, ear: Ear
) -> None:
    away = f"http://127.0.0.1:{ear.server_address[1]}/x"
    body = f"<meta http-equiv=refresh content='0;url={away}'><button>a</button>"
    # Under load the page may leave while its picture is awaited, which then never comes.
    with pytest.raises(PageFault, match=r"navigated|hung"):
        shown(desk, shell, body)
    assert ear.knocks == 0


def test_the_ear_hears(ear: Ear) -> None:
    with socket.create_connection(ear.server_address[:2], timeout=5) as knock:
        knock.recv(1)
    assert ear.knocks == 1


def test_the_shell_alone_keeps_files_out(desk: Desk, tmp_path: Path, secret: str) -> None:
    """The same picture is shown where no policy forbids it: the test above can fail."""
    body = f"<div style='width:90px;height:90px;background:url({secret})'></div><button>a</button>"
    open_shell = kits.write_shell("plain", tmp_path)
    assert has_red(shown(desk, open_shell, body))
    closed = tmp_path / "closed"
    closed.mkdir()
    assert not has_red(shown(desk, kits.write_shell("plain", closed, kits.POLICY), body))


def test_our_typefaces_come_through_the_policy(desk: Desk, shell: str, tmp_path: Path) -> None:
    words = "<p style='font:40px Figtree'>Quick waxy gift</p><button>a</button>"
    free = shown(desk, kits.write_shell("plain", tmp_path), words)
    other = shown(desk, shell, words.replace("Figtree", "serif"))
    assert shown(desk, shell, words).png == free.png != other.png


# ---------------------------------------------------------------------- gates


def judged(desk: Desk, shell: str, written: WrittenPage) -> Judged:
    """Looked at as the workshop does: again, where something came into view while it was shot."""
    for again in range(LlmWorkshop.looks):
        try:
            return desk.check_body(shell, written.page.body, written.page.scene.window, static=True)
        except PageFault:
            if again + 1 == LlmWorkshop.looks:
                raise
    raise AssertionError("unreachable")


def from_html(html: str) -> WrittenPage:
    return html_page(sanitise(html), "Shelfshare", "root", CELL)


def gate_of(desk: Desk, shell: str, html: str) -> str:
    written = from_html(html)
    try:
        check_page(written.page, judged(desk, shell, written), written.letters)
    except Rejected as rejected:
        return rejected.reason
    return ""


BUTTONS = "".join(f"<button>Number {i}</button> " for i in range(8)) + "<a href=#a>A link</a>"


@pytest.mark.parametrize(
    ("html", "gate"),
    [
        ("<p>Nothing to press</p>", Page.FEW_TARGETS),
        ("".join(f"<button>Number {i}</button>" for i in range(8)), Page.FEW_ROLES),
        (f"<style>button{{display:none}}</style>{BUTTONS}", Page.FEW_TARGETS),
        (f"<div style='width:3000px;display:flex;justify-content:end'>{BUTTONS}</div>{BUTTONS}",
         Page.OVERFLOW),
        (f"<style>.x{{opacity:0}}</style>{BUTTONS}<p class=x>{'Words nobody sees. ' * 30}</p>",
         Page.UNSEEN_TEXT),
        (f"<style>.x{{color:var(--surface)}}</style>{BUTTONS}<p class=x>{'White on it. ' * 30}</p>",
         Page.UNSEEN_TEXT),
        (BUTTONS, ""),
    ],
)  # fmt: skip
def test_gates_name_what_is_no_page(desk: Desk, shell: str, html: str, gate: str) -> None:
    assert gate_of(desk, shell, html) == gate


def test_a_blank_page_is_named(desk: Desk, shell: str) -> None:
    written = from_html(BUTTONS)
    seen = judged(desk, shell, written)
    done, png = cv2.imencode(".png", np.full((800, 1280, 3), 255, np.uint8))
    assert done
    with pytest.raises(Rejected, match="blank"):
        check_page(written.page, Judged(seen.verdict, png.tobytes()), {})


def test_what_a_model_fixes_stays_inside_of_its_page(desk: Desk, shell: str) -> None:
    html = f"<div style='position:fixed;inset:0;background:red'></div>{BUTTONS}"
    written = html_page(
        sanitise(html), "Shelfshare", "root", {**CELL, "platform": "windows", "kit": "fluent"}
    )
    names = {t.name for t in judged(desk, shell, written).verdict.accepted}
    assert "Close" in names, "the window's own button can still be pressed"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_both_ways_give_tasks_with_refusals(desk: Desk, shell: str, lang: str) -> None:
    cell = {**CELL, "lang": lang}
    plan = plan_page(
        Content.model_validate(content(1, lang)), Layout.model_validate(layout(1, lang)), "r", cell
    )
    whole = html_page(sanitise(html_in(page(1, lang))), "Shelfshare", "r", cell)
    for written in (plan, whole):
        seen = judged(desk, shell, written)
        check_page(written.page, seen, written.letters)
        table = table_of(written.page, seen.verdict, seen.png)
        tasks = tasks_of(table, written.app, Stream("t"), lang, most=20, negatives=0.3)
        kinds = {task.kind for task in tasks}
        assert {"ground", "refuse"} <= kinds
        assert all(task.proofs for task in tasks if task.kind == "refuse")
    words = {t.instruction for t in tasks if t.kind == "ground"}
    assert words
