"""From one page's evidence to its verdict, gate after gate."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
import orjson

from factory.web.verdict import paint
from factory.web.verdict.alike import Duplicates
from factory.web.verdict.hover import movers
from factory.web.verdict.page import Page, Steps
from factory.web.verdict.types import (
    BoxList,
    Evidence,
    HitReport,
    Ink,
    Measured,
    PageFacts,
    PageFault,
    PageReason,
    PageVerdict,
    Reason,
    Rejection,
    Target,
)

MIN_TEXT_OVERLAP = 0.5
"""Of ink and text box along the line; across it, letters without ascenders fill half a line."""


@dataclass(frozen=True)
class Judged:
    """A verdict and the picture that it is about (PNG)."""

    verdict: PageVerdict
    png: bytes


def judge(page: Page, url: str, *, proof: bool, static: bool, scripted: bool) -> Steps[Judged]:
    """Measure, shoot, measure again; then pointer, paint, text, grid and duplicates.

    A page that is not ``scripted`` never ran a script: its second measurement
    asks for boxes and middle points only, and its picture is not shot again
    after the proofs. ``PageFault`` when the page moves, jumps or cannot be measured.
    """
    text = page.measure(static=static)
    ordered = page.ask_picture()
    measured = msgspec.json.decode(text, type=Measured)
    facts = _facts(measured.page, page)
    png = yield ordered
    _unmoved(page, "while it was shot", scripted=scripted)
    found = measured.candidates
    hovered = _hover(page, found)
    if hovered:
        _unmoved(page, "after the pointer", scripted=scripted)
    proven = (yield from _paint(page, png, found, again=scripted)) if proof else paint.Proof()
    if scripted and proven.shots:
        _unmoved(page, "after the proofs", scripted=scripted)
    accepted, rejected = _sort(found, proven.inks)
    verdict = PageVerdict(
        url=url,
        window={"width": page.window.width, "height": page.window.height, "dpr": page.window.dpr},
        scroll=facts.scroll,
        png_size=[int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")],
        browser=page.browser.product,
        proof=proof,
        frames=facts.frames,
        unreachable_frames=facts.unreachable,
        hover_tested=hovered,
        proof_shots=proven.shots,
        accepted=accepted,
        rejected=rejected,
    )
    return Judged(verdict, png)


def _facts(facts: PageFacts, page: Page) -> PageFacts:
    window = page.window
    if facts.scale != 1 or (facts.width, facts.height) != (window.width, window.height):
        seen = f"{facts.width:g}x{facts.height:g} at scale {facts.scale:g}"
        raise PageFault(PageReason.ZOOMED, f"{seen}, not {window.width}x{window.height}")
    return facts


def _unmoved(page: Page, when: str, *, scripted: bool) -> None:
    asked = f"JSON.stringify(verdict.changed({str(not scripted).lower()}))"
    changed = orjson.loads(page.evaluate(asked))
    if changed:
        raise PageFault(PageReason.UNSTABLE, f"{len(changed)} measurements differ {when}")


def _hover(page: Page, found: list[Evidence]) -> int:
    risky = [i for i, e in enumerate(found) if e.reason is None and e.risky]
    for index in movers(page, risky):
        found[index].reason = Reason.MOVES_ON_HOVER
    return len(risky)


def _paint(page: Page, png: bytes, found: list[Evidence], *, again: bool) -> Steps[paint.Proof]:
    """Ink for all that may still be accepted; what fails loses its place to a paint reason."""
    boxes = {i: e.box for i, e in enumerate(found) if e.reason in (None, Reason.OFF_GRID) and e.box}
    proof = yield from paint.prove(page, png, boxes, again=again)
    for index, ink in proof.inks.items():
        _weigh_ink(found[index], boxes[index], ink)
    return proof


def _weigh_ink(evidence: Evidence, box: BoxList, ink: Ink) -> None:
    least = max(paint.MIN_INK_PX2, paint.MIN_INK_SHARE * _area(evidence.text_box or box))
    if ink.area < least:
        evidence.reason = Reason.LOW_INK if ink.area else Reason.NO_INK
        evidence.value, evidence.limit = ink.area, round(least, 2)
    elif ink.stray > paint.MAX_STRAY:
        evidence.reason = Reason.PAINTS_ELSEWHERE
        evidence.value, evidence.limit = ink.stray, paint.MAX_STRAY
    elif box is evidence.text_box or box == evidence.text_box:
        _doubt_text(evidence, box, ink)


def _doubt_text(evidence: Evidence, box: BoxList, ink: Ink) -> None:
    """A text box that the ink does not bear out is dropped; the target keeps its hit box."""
    seen = ink.box or box
    both = min(seen[2], box[2]) - max(seen[0], box[0])
    either = max(seen[2], box[2]) - min(seen[0], box[0])
    if both < MIN_TEXT_OVERLAP * either:
        evidence.text_box, evidence.quotable = None, False
        evidence.box = evidence.hit_box


def _area(box: BoxList) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _sort(found: list[Evidence], inks: dict[int, Ink]) -> tuple[list[Target], list[Rejection]]:
    kept = [(i, e) for i, e in enumerate(found) if e.reason is None]
    duplicates = Duplicates(found)
    accepted = [_target(e, inks.get(i), duplicates) for i, e in kept]
    rejected = [
        _rejection(e, Reason(e.reason), inks.get(i))
        for i, e in enumerate(found)
        if e.reason is not None
    ]
    return accepted, rejected


def _target(e: Evidence, ink: Ink | None, duplicates: Duplicates) -> Target:
    assert e.box is not None and e.click is not None and e.grid is not None
    assert e.hit_box is not None
    return Target(
        selector=e.selector, tag=e.tag, type=e.type, kind=e.kind, why=e.why, role=e.role,
        name=e.name, box_xyxy_css=e.box, click_xy_css=e.click, grid=e.grid,
        hit_box_xyxy_css=e.hit_box, text_box_xyxy_css=e.text_box, quad_css=e.quad,
        report=_report(e), ink=ink, state=e.state, dom_text=e.dom_text,
        visible_text=e.visible_text, generated_text=e.generated_text, placeholder=e.placeholder,
        alt=e.alt, quotable=e.quotable, small=e.small, by_label=e.by_label,
        same_text=duplicates.of_text(e.visible_text), same_name=duplicates.of_name(e.name),
        alt_boxes=duplicates.same_effect(e),
    )  # fmt: skip


def _rejection(e: Evidence, reason: Reason, ink: Ink | None) -> Rejection:
    return Rejection(
        selector=e.selector, tag=e.tag, kind=e.kind, role=e.role, name=e.name, reason=reason,
        value=e.value, limit=e.limit, by=e.by, box_xyxy_css=e.box or e.hit_box,
        report=_report(e) if e.mask else None, state=e.state, ink=ink,
    )  # fmt: skip


def _report(e: Evidence) -> HitReport:
    return HitReport(mask=e.mask, hits=e.hits, visible_fraction=e.fraction)
