"""Verdict against oracle, page by page: precision, recall, and every miss by name."""

from __future__ import annotations

from dataclasses import dataclass, field

from factory.web.verdict import Desk, PageFault, PageVerdict, Target, Window
from tests.web.verdict.oracle import Element, Oracle


@dataclass
class Audit:
    """Counts over pages. A miss is ``page: element, why``."""

    right: int = 0
    accepted: int = 0
    found: int = 0
    clickable: int = 0
    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    given_up: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        return self.right / max(1, self.accepted)

    @property
    def recall(self) -> float:
        return self.found / max(1, self.clickable)


def audit_page(
    audit: Audit, desk: Desk, oracle: Oracle, url: str, prepare: str, window: Window
) -> None:
    """Add one page to the audit."""
    name = url.rsplit("/", 1)[-1]
    try:
        verdict = desk.check(url, window, prepare=prepare).verdict
    except PageFault as fault:
        audit.given_up.append(f"{name}: {fault}")
        return
    elements = oracle.load(url, prepare)
    accepted: dict[int, Target] = {}
    for target in verdict.accepted:
        accepted[oracle.ask(f"oracle.find({target.selector!r})")] = target
        _precision(audit, oracle, url, prepare, target, name)
    for element in elements:
        if element.big_enough and not element.off:
            _recall(audit, oracle, url, prepare, element, verdict, accepted, name)


def _precision(
    audit: Audit, oracle: Oracle, url: str, prepare: str, target: Target, name: str
) -> None:
    oracle.load(url, prepare)
    index = oracle.ask(f"oracle.find({target.selector!r})")
    if index < 0:
        index = oracle.ask(f"oracle.list.push(document.querySelector({target.selector!r})) - 1")
    seen = oracle.is_seen(index, target.box_xyxy_css) or target.by_label
    owner = oracle.press(*target.click_xy_css)
    audit.accepted += 1
    if seen and owner == index:
        audit.right += 1
    else:
        audit.wrong.append(f"{name}: {target.selector} seen={seen} owner={owner} not {index}")


def _recall(
    audit: Audit, oracle: Oracle, url: str, prepare: str, element: Element,
    verdict: PageVerdict, accepted: dict[int, Target], name: str,
) -> None:  # fmt: skip
    fresh = oracle.load(url, prepare)
    if element.index >= len(fresh) or fresh[element.index].mark != element.mark:
        audit.given_up.append(f"{name}: another page on reload at {element.mark}")
        return
    assert element.box is not None
    if not oracle.is_seen(element.index, element.box) or not oracle.arrives(element):
        return
    audit.clickable += 1
    if element.index in accepted:
        audit.found += 1
        return
    why = [
        f"{r.reason} {r.value}" for r in verdict.rejected
        if oracle.ask(f"oracle.find({r.selector!r})") == element.index
    ]  # fmt: skip
    audit.missed.append(f"{name}: {element.mark} {element.box} {why or 'no candidate'}")
