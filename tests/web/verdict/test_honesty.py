"""Pages that move, grow, blink, hang or lie are given up or told right, never silently wrong."""

from __future__ import annotations

import math
import os
import signal
import threading
import time
from base64 import b64encode
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest

from factory.web.verdict import Desk, PageFault, PageVerdict, Window
from factory.web.verdict.judge import judge
from factory.web.verdict.page import Page

Check = Callable[..., PageVerdict]
PLACE = "position:absolute;left:100px;top:100px;width:80px;height:40px"
BUTTON = f'<button id="b" style="{PLACE}">B</button>'


def boxes(verdict: PageVerdict) -> dict[str, list[float]]:
    return {t.selector: t.box_xyxy_css for t in verdict.accepted}


def test_button_that_runs_in_every_frame_stands_still_where_it_is_told(verdict_on: Check) -> None:
    verdict = verdict_on(
        BUTTON + "<script>let x = 0; const b = document.getElementById('b');"
        "(function go() { b.style.left = (x = (x + 37) % 900) + 'px';"
        "requestAnimationFrame(go); })()</script>"
    )
    ink = verdict.accepted[0].ink
    assert ink is not None and ink.iou > 0.95  # seen where it is measured


def test_button_moved_only_while_the_frame_is_drawn_is_not_told_elsewhere(
    verdict_on: Check,
) -> None:
    verdict = verdict_on(
        BUTTON + "<script>const b = document.getElementById('b'), c = new MessageChannel();"
        "c.port1.onmessage = () => { b.style.left = '100px'; };"
        "(function go() { b.style.left = '400px'; c.port2.postMessage(0);"
        "requestAnimationFrame(go); })()</script>"
    )
    ink = verdict.accepted[0].ink
    assert ink is not None and ink.iou > 0.95


def test_lying_geometry_and_hit_test_of_the_page_are_not_listened_to(verdict_on: Check) -> None:
    verdict = verdict_on(
        BUTTON + "<div style='position:absolute;inset:0'></div><script>"
        "document.elementFromPoint = () => document.getElementById('b');"
        "Element.prototype.getBoundingClientRect = () => new DOMRect(0, 0, 50, 50);"
        "Element.prototype.getClientRects = () => [new DOMRect(0, 0, 50, 50)];"
        "JSON.stringify = () => '[]'; Array.prototype.map = () => [];</script>"
    )
    assert [r.reason for r in verdict.rejected] == ["occluded"]
    assert verdict.rejected[0].box_xyxy_css == [100.0, 100.0, 180.0, 140.0]


def test_timer_blink_is_frozen(verdict_on: Check) -> None:
    verdict = verdict_on(
        BUTTON + "<script>setInterval(() => { const s = document.getElementById('b').style;"
        "s.visibility = s.visibility ? '' : 'hidden'; }, 50)</script>"
    )
    told = [t.selector for t in verdict.accepted]
    hidden = [r.reason for r in verdict.rejected]
    assert (told, hidden) in ((["#b"], []), ([], ["css_hidden"]))


def test_animated_picture_stands_still(verdict_on: Check) -> None:
    verdict = verdict_on(
        f'<a id="a" href="#x"><img alt="" src="{_blinking_gif()}" width="40" height="40"></a>'
    )
    assert len(verdict.accepted) + len(verdict.rejected) == 1


def _blinking_gif() -> str:
    import io

    from PIL import Image

    frames = [Image.new("RGB", (40, 40), colour) for colour in ("red", "blue")]
    data = io.BytesIO()
    frames[0].save(data, "GIF", save_all=True, append_images=frames[1:], duration=60, loop=0)
    return "data:image/gif;base64," + b64encode(data.getvalue()).decode()


def test_content_that_comes_late_is_in_the_verdict(verdict_on: Check) -> None:
    verdict = verdict_on(
        BUTTON + "<script>setTimeout(() => document.body.insertAdjacentHTML('afterbegin',"
        "'<dialog id=d><button id=ok>OK</button></dialog>') || d.showModal(), 2000)</script>"
    )
    assert [t.selector for t in verdict.accepted] == ["#ok"]
    assert [r.reason for r in verdict.rejected] == ["behind_backdrop"]


def test_picture_that_does_not_exist_gives_the_page_up(verdict_on: Check) -> None:
    with pytest.raises(PageFault, match="broken_image"):
        verdict_on('<img src="nowhere.png" alt="" width="50" height="50"><button>B</button>')


def test_transition_that_insists_hides_no_move_under_the_pointer(verdict_on: Check) -> None:
    verdict = verdict_on(
        "<style>#b { transition: left 1s !important; } #b:hover { left: 500px !important; }</style>"
        + BUTTON
    )
    assert [r.reason for r in verdict.rejected] == ["moves_on_hover"]


def test_part_that_insists_on_being_seen_counts_as_ink_of_its_target(verdict_on: Check) -> None:
    verdict = verdict_on(
        "<a id=a href=#x><span style='visibility:visible !important;background:#36c;padding:9px'>"
        "Seen</span></a>"
    )
    ink = verdict.accepted[0].ink
    assert ink is not None and ink.iou > 0.8


def test_alerts_are_dismissed(verdict_on: Check) -> None:
    verdict = verdict_on(BUTTON + "<script>alert(1); confirm(2); prompt(3)</script>")
    assert list(boxes(verdict)) == ["#b"]


def test_page_that_leaves_is_judged_where_it_arrives_or_given_up(
    verdict_on: Check, tmp_path: Path
) -> None:
    (tmp_path / "next.html").write_text("<button id=n>Next</button>")
    verdict = verdict_on(BUTTON + "<script>setTimeout(() => location = 'next.html', 100)</script>")
    assert list(boxes(verdict)) == ["#n"]


def test_endless_loop_is_given_up_and_the_next_page_is_judged(
    desk: Desk, verdict_on: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("factory.web.verdict.page.LOAD_S", 2.0)
    monkeypatch.setattr("factory.web.verdict.tab.ASK_S", 2.0)
    with pytest.raises(PageFault, match="hung"):
        verdict_on("<button>B</button><script>for (;;) {}</script>")
    assert list(boxes(verdict_on(BUTTON))) == ["#b"]


def test_crash_of_the_page_is_given_up_and_the_next_page_is_judged(
    desk: Desk, verdict_on: Check
) -> None:
    with pytest.raises(PageFault, match=r"crashed|not_loaded|hung"):
        desk.check("chrome://crash", Window())
    assert list(boxes(verdict_on(BUTTON))) == ["#b"]


def test_killed_browser_is_replaced(desk: Desk, verdict_on: Check) -> None:
    verdict_on(BUTTON)
    starts = desk.starts
    os.killpg(desk.browser().process.pid, signal.SIGKILL)
    assert list(boxes(verdict_on(BUTTON))) == ["#b"]
    assert desk.starts == starts + 1


def test_pages_have_no_network_unless_asked(verdict_on: Check) -> None:
    asked: list[str] = []

    class Ear(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()

    server = HTTPServer(("127.0.0.1", 0), Ear)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        port = server.server_port
        fetch = f"fetch('http://localhost:{port}/b').catch(() => 0)"
        source = f"<script src='http://127.0.0.1:{port}/a.js'></script>"
        verdict_on(f"{BUTTON}{source}<script>{fetch}</script>")
    finally:
        server.shutdown()
    assert asked == []


def test_pinch_zoom_gives_the_page_up(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(BUTTON)
    page = Page(desk.browser(), Window())
    page.open(path.as_uri())
    page.send("Emulation.setPageScaleFactor", {"pageScaleFactor": 2})
    with pytest.raises(PageFault, match="zoomed"):
        page.finish(judge(page, "", proof=False, static=False, scripted=True))
    page.close()


def test_same_page_has_the_same_verdict_twice(verdict_on: Check) -> None:
    body = BUTTON + "<p id=p></p><script>p.textContent = Math.random() + ' ' + Date.now()</script>"
    assert verdict_on(body) == verdict_on(body)


def answer_late(page: Page, seconds: float, body: bytes) -> None:
    """Answer each request of the page, but only after a while."""
    react, due = page.react, dict[str, float]()

    def release() -> None:
        for event in page.browser.events:
            if event["method"] == "Fetch.requestPaused":
                due.setdefault(event["params"]["requestId"], time.monotonic() + seconds)
        for request in [r for r, at in due.items() if at <= time.monotonic()]:
            due[request] = math.inf
            answer = {"requestId": request, "responseCode": 200, "body": b64encode(body).decode()}
            page.browser.post("Fetch.fulfillRequest", answer, page.session)
        react()

    page.react = release
    page.send("Fetch.enable")


def test_picture_that_comes_late_under_a_pointer_does_not_move_its_target(
    desk: Desk, tmp_path: Path
) -> None:
    png = cv2.imencode(".png", np.full((40, 40, 3), 90, np.uint8))[1].tobytes()
    path = tmp_path / "page.html"
    path.write_text(
        f"<style>i {{ content: url(data:image/png;base64,{b64encode(png).decode()}) }}"
        "i:hover { content: url(http://localhost/late.png) }</style><i tabindex=0 id=b></i>"
    )
    page = Page(desk.browser(), Window())
    page.open(path.as_uri())
    answer_late(page, 0.15, png)
    verdict = page.finish(judge(page, "", proof=False, static=False, scripted=True)).verdict
    assert (list(boxes(verdict)), verdict.hover_tested) == (["#b"], 1)
    page.close()
