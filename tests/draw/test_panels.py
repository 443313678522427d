"""Panels: everything has its place, every word can be read, and pixels lie where boxes say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import skia

from factory.core.errors import RenderFailed
from factory.core.geometry import Box
from factory.core.mechanics import PartPose
from factory.core.puzzle import Bitmap, Control, PanelRequest
from factory.core.rng import Stream
from factory.draw.panels import PanelLayout, Surface, lay_out_panel, paint_chrome, paint_controls
from factory.draw.panels.layout import CONTROL_FONT_PX, HINT_FONT_PX
from factory.draw.panels.style import FOOTERS, PanelStyle, words
from factory.draw.text import text_width
from factory.draw.tokens import AA_TEXT, Tokens, contrast, to_hex, token_sets

LOOKS = sorted(token_sets().values(), key=lambda tokens: tokens.name)
SURFACES: tuple[Surface, ...] = ("card", "sheet", "flat")
DESKTOP, PHONE = (1000, 700), (375, 780)

REQUESTS = {
    "slider": PanelRequest(
        frame="circle", ratio=(1, 1), width=(180, 256), controls=(Control("slider", words="turn"),)
    ),
    "field": PanelRequest(controls=(Control("field", words="characters"),), submit="either"),
    "fields": PanelRequest(
        controls=(Control("field", name="first"), Control("field", name="second")), submit="always"
    ),
    "stepper": PanelRequest(controls=(Control("stepper"),), submit="always"),
    "hold": PanelRequest(controls=(Control("hold"),)),
    "options": PanelRequest(controls=(Control("options", count=6),), strip=52),
    "board": PanelRequest(frame="none", ratio=(1, 1), submit="either", skip=True),
    "skip only": PanelRequest(frame="none", submit="never", skip=True),
    "plain": PanelRequest(submit="either"),
}

NESTED = {"handle": "track", "label": "track"}
"""Boxes that lie inside others on purpose."""

TRIES = 36


def laid_out(request: PanelRequest, number: int, lang: str | None = None) -> PanelLayout:
    surface = SURFACES[number % 3]
    phone = surface == "sheet" or number % 6 == 5
    return lay_out_panel(
        request,
        tokens=LOOKS[number % len(LOOKS)],
        lang=lang or ("en", "zh")[number % 2],
        stream=Stream(f"panel {number}"),
        surface=surface,
        touch=phone,
        room=PHONE if phone else DESKTOP,
        width=375 if phone else None,
    )


def painted(layout: PanelLayout, scale: float = 1.0, **poses: PartPose) -> Bitmap:
    """The panel on its page's ground, BGRA."""
    pixels = np.zeros((round(layout.height * scale), round(layout.width * scale), 4), np.uint8)
    pixels[...] = (*layout.look.rgb("page_bg")[::-1], 255)
    info = skia.ImageInfo.Make(
        pixels.shape[1], pixels.shape[0],
        skia.ColorType.kBGRA_8888_ColorType, skia.AlphaType.kOpaque_AlphaType,
    )  # fmt: skip
    with skia.Surface.MakeRasterDirect(info, pixels) as canvas:
        canvas.scale(scale, scale)
        paint_chrome(canvas, layout)
        paint_controls(canvas, layout, poses, typed=frozenset())
    return pixels


def window(pixels: Bitmap, box: Box, scale: float = 1.0) -> Bitmap:
    x0, y0, x1, y1 = (round(edge * scale) for edge in box.as_list())
    return pixels[y0:y1, x0:x1, :3]


every_request = pytest.mark.parametrize("request_", REQUESTS.values(), ids=REQUESTS.keys())


@every_request
def test_boxes_stand_on_whole_px_inside_the_panel_and_apart(request_: PanelRequest) -> None:
    for number in range(TRIES):
        layout = laid_out(request_, number)
        boxes = {name: box for name, box in layout.boxes.items() if name != "panel"}
        assert all(edge == int(edge) for box in boxes.values() for edge in box.as_list())
        assert all(layout.boxes["panel"].holds(box) for box in boxes.values())
        assert all(box.width > 0 and box.height > 0 for box in boxes.values())
        for inner, outer in NESTED.items():
            assert inner not in boxes or boxes[outer].holds(boxes[inner])
        assert "label" not in boxes or not boxes["label"].overlaps(boxes["handle"])
        rows = [name for name in boxes if name not in NESTED]
        met = [(a, b) for k, a in enumerate(rows) for b in rows[:k] if boxes[a].overlaps(boxes[b])]
        assert met == []


@every_request
def test_a_panel_has_the_controls_that_were_asked_for(request_: PanelRequest) -> None:
    layouts = [laid_out(request_, number) for number in range(TRIES)]
    wanted = {"slot", "goal", "panel"}
    for control in request_.controls:
        wanted |= {
            "slider": {"track", "handle", "label"},
            "field": {control.name},
            "stepper": {"prev", "counter", "next"},
            "hold": {"hold"},
            "options": {f"option{k}" for k in range(control.count)},
        }[control.kind]
    wanted |= ({"strip"} if request_.strip else set()) | ({"skip"} if request_.skip else set())
    assert all(wanted <= layout.boxes.keys() for layout in layouts)
    buttons = {"submit" in layout.boxes for layout in layouts}
    assert buttons == {"always": {True}, "never": {False}, "either": {True, False}}[request_.submit]


@every_request
def test_words_fit_their_controls(request_: PanelRequest) -> None:
    for number in range(TRIES):
        layout = laid_out(request_, number)
        for name, text in layout.words.items():
            size = HINT_FONT_PX if name == "title" else CONTROL_FONT_PX
            weight = 500 if name == "label" else 600
            assert text_width(text, layout.faces(weight), size) <= layout.boxes[name].width
        for name in {"submit", "skip", "hold"} & layout.boxes.keys():
            assert layout.words[name], f"the {name} button says nothing"


def test_submit_stands_across_at_the_right_or_beside_its_field() -> None:
    layouts = [laid_out(REQUESTS["field"], number) for number in range(90)]
    places = set()
    for layout in layouts:
        submit, field = layout.boxes.get("submit"), layout.boxes["field"]
        if submit is None:
            continue
        beside = submit.y0 == field.y0
        inner = layout.boxes["goal"].width
        places.add("inline" if beside else "full" if submit.width == inner else "right")
        assert submit.x1 <= layout.boxes["goal"].x1
        assert beside or submit.y0 >= field.y1
    assert places == {"full", "right", "inline"}
    assert all(
        layout.boxes["skip"].x1 + 8 <= layout.boxes["submit"].x0
        for layout in (laid_out(REQUESTS["board"], number) for number in range(TRIES))
        if "submit" in layout.boxes
    )


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_all_words_of_the_panels_are_in_both_languages(lang: str) -> None:
    assert words(lang).keys() == words("en").keys()
    assert all(words(lang).values())
    for name in REQUESTS:
        assert laid_out(REQUESTS[name], 1, lang).lang == lang


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("look", LOOKS, ids=lambda tokens: tokens.name)
def test_words_are_painted_with_a_contrast_of_four_and_a_half(
    look: Tokens, surface: Surface
) -> None:
    number = LOOKS.index(look) + SURFACES.index(surface)
    name = ("field", "hold", "board", "slider")[number % 4]
    never = name in ("hold", "slider")
    phone = surface == "sheet"
    layout = lay_out_panel(
        replace(REQUESTS[name], submit="never" if never else "always"),
        tokens=look, lang="en", stream=Stream(f"contrast {number}"), surface=surface,
        touch=phone, room=PHONE if phone else DESKTOP, width=375 if phone else None,
    )  # fmt: skip
    pixels = painted(layout, 3.0)
    for said, text in layout.words.items():
        if text:
            box = layout.boxes[said].grown(-6 if said != "title" else 0)
            assert ink_contrast(window(pixels, box, 3.0)) >= AA_TEXT, (said, layout.tokens)


def ink_contrast(pixels: Bitmap) -> float:
    """The contrast of the pixel that differs most from the commonest colour, against that one."""
    flat = pixels.reshape(-1, 3).astype(int)
    codes = flat @ (1 << 16, 1 << 8, 1)
    ground = flat[np.flatnonzero(codes == np.bincount(codes).argmax())[0]]
    core = flat[np.abs(flat - ground).sum(axis=1).argmax()]
    return contrast(to_hex(tuple(core[::-1])), to_hex(tuple(ground[::-1])))


def test_pixels_lie_where_the_boxes_say() -> None:
    for number, name in enumerate(REQUESTS):
        layout = laid_out(REQUESTS[name], number)
        for scale in (1.0, 2.0, 3.0):
            pixels, look = painted(layout, scale), layout.look
            frame = layout.request.frame
            if frame != "none":
                middle = window(pixels, Box(*layout.boxes["slot"].as_list()).grown(-60), scale)
                assert (middle == look.rgb("raised")[::-1]).all()
            goal = window(pixels, layout.boxes["goal"], scale)
            assert (goal == look.rgb(layout.ground)[::-1]).all(), "the goal is drawn per sample"


def test_the_handle_moves_by_its_pose_and_the_label_goes() -> None:
    layout = laid_out(REQUESTS["slider"], 0)
    handle, label = layout.boxes["handle"], layout.boxes["label"]
    rest, moved = painted(layout), painted(layout, handle=PartPose(dx=100.0))
    at = window(moved, handle.moved(100, 0).grown(-8))
    assert np.array_equal(at, window(rest, handle.grown(-8)))
    assert not np.array_equal(window(moved, handle.grown(-8)), window(rest, handle.grown(-8)))
    shadow = 12
    free = Box(handle.x1 + 100 + shadow, label.y0 + 12, label.x1 - 20, label.y1 - 12)
    assert (window(moved, free) == layout.look.rgb("track")[::-1]).all()
    assert not np.array_equal(window(moved, free), window(rest, free))


def test_a_typed_field_shows_no_hint() -> None:
    layout = laid_out(REQUESTS["field"], 0)
    pixels = painted(layout)
    other = pixels.copy()
    info = skia.ImageInfo.Make(
        pixels.shape[1], pixels.shape[0],
        skia.ColorType.kBGRA_8888_ColorType, skia.AlphaType.kOpaque_AlphaType,
    )  # fmt: skip
    with skia.Surface.MakeRasterDirect(info, other) as canvas:
        paint_chrome(canvas, layout)
        paint_controls(canvas, layout, {}, typed=frozenset({"field"}))
    field = layout.boxes["field"].grown(-2)
    assert not np.array_equal(window(pixels, field), window(other, field))
    assert len(np.unique(window(other, field.grown(-8)).reshape(-1, 3), axis=0)) == 1


@every_request
def test_the_same_stream_gives_the_same_panel_and_pixels(request_: PanelRequest) -> None:
    for number in range(6):
        first, second = laid_out(request_, number), laid_out(request_, number)
        assert first == second
        assert np.array_equal(painted(first), painted(second))


def test_panels_of_different_streams_differ() -> None:
    heights = {laid_out(REQUESTS["plain"], 3 * number).height for number in range(30)}
    assert len(heights) > 10


def test_footers_vary_in_set_place_and_side() -> None:
    styles = [PanelStyle.draw(Stream(f"style {n}"), LOOKS[n % len(LOOKS)]) for n in range(300)]
    assert {style.footer for style in styles} == set(FOOTERS)
    assert {style.footer_place for style in styles} == {"top", "bottom"}
    assert {style.footer_align for style in styles} == {"left", "right", "center"}
    assert {style.submit_place for style in styles} == {"full", "right", "inline"}


def test_footer_and_title_give_way_before_the_content_does() -> None:
    request = REQUESTS["slider"]
    roomy = [laid_out(request, 3 * n) for n in range(20)]
    least = min(layout.height for layout in roomy)
    tight = lay_out_panel(
        request, tokens=LOOKS[0], lang="en", stream=Stream("tight"), surface="card", touch=False,
        room=(400, least - 20), width=None,
    )  # fmt: skip
    assert tight.height <= least - 20
    assert tight.boxes["slot"].width >= request.width[0]


def test_a_panel_that_cannot_fit_is_refused() -> None:
    with pytest.raises(RenderFailed, match="no panel of"):
        lay_out_panel(
            REQUESTS["slider"], tokens=LOOKS[0], lang="en", stream=Stream("none"), surface="card",
            touch=False, room=(400, 200), width=None,
        )  # fmt: skip
