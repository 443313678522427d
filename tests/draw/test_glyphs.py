"""Glyphs: right fonts, no stand-ins, hulls around their ink, tables that judge alike both ways."""

from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np
import pydantic
import pytest
import skia

from factory.core.errors import InvalidOptions, PluginBroken, Rejected
from factory.core.geometry import Box
from factory.core.mechanics.zones import Zone
from factory.core.rng import SPLITS, Stream
from factory.draw import glyphs, inkmasks
from factory.draw.assets import npm_package
from factory.draw.contours import MOST_CORNERS, as_points
from factory.draw.glyphs.outlines import REFERENCES
from factory.draw.styles import KINDS, Style
from factory.draw.warps import LEAST_JACOBIAN, Warp, check_warp, choose_warp, least_jacobian, warped

FLAT = Style("fill", "#203040")
AREA = Box(0, 0, 160, 160)
SCALE = 4.0
"""Masks are drawn at this scale, so that a quarter of a CSS px shows."""

EDGE_PX = 0.3
"""CSS px of antialiasing that ink may show outside of its hull or box: one px of a mask."""

LOST_TO_CHORDS = 0.02
"""Share of a glyph's px that differs between its curves and their chords."""

LOOSE_PX = 3.0
"""Greatest distance of a box from a hull's extent: two slacks of the hull on a 60 px glyph."""


def samples(count: int) -> list[glyphs.GlyphSpec]:
    """Glyphs of every kind of face, turned, sheared and styled."""
    found: list[glyphs.GlyphSpec] = []
    for number in range(count):
        stream = Stream(f"test-glyph-{number}")
        face = stream.choice(glyphs.FACES)
        pool = glyphs.all_han() if face.pool == "han" else glyphs.safe_alphabet("cased")
        char = stream.choice([c for c in pool if glyphs.has_glyph(face.name, c)])
        style = Style(stream.choice(KINDS), "#203040", "#f0f0f0", stream.uniform(1.0, 4.0))
        found.append(
            glyphs.GlyphSpec(char, face.name, stream.uniform(24, 64), 80.0, 80.0, style,
                             turn_deg=stream.uniform(-180, 180), shear=stream.uniform(-0.3, 0.3),
                             stretch=stream.uniform(0.8, 1.2), mirrored=stream.chance(0.3))
        )  # fmt: skip
    return found


def inked(found: glyphs.Ink, style: Style) -> np.ndarray:
    stroke = style.width if style.kind == "outline" else 0.0
    return inkmasks.mask(found.path, AREA, SCALE, stroke=stroke) > 127


def depths(found: glyphs.Ink, at: np.ndarray) -> list[float]:
    """Signed distances in CSS px of px centres to the hull, positive inside."""
    polygon = (np.array(found.hull) * SCALE).astype(np.float32).reshape(-1, 1, 2)
    return [
        cv2.pointPolygonTest(polygon, (float(x) + 0.5, float(y) + 0.5), True) / SCALE for y, x in at
    ]


def test_a_field_that_moves_nothing_leaves_the_ink_where_it_was() -> None:
    for spec in samples(40):
        bent, plain = (inked(glyphs.ink(spec, field), spec.style) for field in (Warp(), None))
        assert (bent ^ plain).sum() <= LOST_TO_CHORDS * plain.sum(), spec


@pytest.mark.parametrize("field", [None, Warp(4.0, 60.0, 0.2, 5.0, 70.0, 0.4, 3.0, 30.0, "a")])
def test_hulls_and_boxes_contain_the_ink_closely(field: Warp | None) -> None:
    for spec in samples(60):
        found = glyphs.ink(spec, field)
        at = np.argwhere(inked(found, spec.style))
        assert len(at) > 100, spec
        assert min(depths(found, at[:: max(1, len(at) // 400)])) >= -EDGE_PX, spec
        y0, x0 = at.min(axis=0) / SCALE
        y1, x1 = (at.max(axis=0) + 1) / SCALE
        seen = Box(x0, y0, x1, y1)
        assert found.box.grown(EDGE_PX).holds(seen), spec
        assert seen.grown(2 * EDGE_PX).holds(found.box), spec
        assert found.box.grown(LOOSE_PX + spec.style.width).holds(Zone(found.hull).box), spec


def test_hulls_are_small_convex_zones() -> None:
    for spec in samples(40):
        hull = glyphs.ink(spec).hull
        assert 3 <= len(hull) <= MOST_CORNERS
        turns = [
            (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x)
            for a, b, c in zip(hull, hull[1:] + hull[:1], hull[2:] + hull[:2], strict=True)
        ]
        assert min(turns) > -1e-3 or max(turns) < 1e-3
        assert as_points(np.array(hull)) == hull


def test_rims_and_shadows_lie_in_the_painted_box() -> None:
    for spec in samples(40):
        found = glyphs.ink(spec)
        pixels = np.full((640, 640, 4), 255, np.uint8)
        surface = skia.Surface.MakeRasterDirect(
            skia.ImageInfo.MakeN32Premul(640, 640), pixels, 640 * 4
        )
        with surface as canvas:
            canvas.scale(SCALE, SCALE)
            glyphs.draw_glyph(canvas, spec)
        at = np.argwhere((pixels < 250).any(axis=2))
        y0, x0 = at.min(axis=0) / SCALE
        y1, x1 = (at.max(axis=0) + 1) / SCALE
        assert found.painted.grown(EDGE_PX).holds(Box(x0, y0, x1, y1)), spec


def test_a_missing_glyph_is_refused_not_replaced() -> None:
    assert not glyphs.has_glyph("anton", "鼎")
    assert not glyphs.has_glyph("zcool-kuaile", "\ue000")
    assert not glyphs.covers("anton", "A 鼎")
    with pytest.raises(PluginBroken, match=r"anton has no glyph for '鼎' \(U\+9F0E\)"):
        glyphs.ink(glyphs.GlyphSpec("鼎", "anton", 40.0, 0.0, 0.0, FLAT))
    with pytest.raises(InvalidOptions, match="no face"):
        glyphs.has_glyph("default", "A")


def test_every_face_draws_what_its_scripts_need() -> None:
    needs = {
        "latin": "".join(map(glyphs.safe_alphabet, ("upper", "lower", "digits"))) + "+-×=?",
        "cyrillic": glyphs.letters("cyrillic"),
        "greek": glyphs.letters("greek"),
        "devanagari": glyphs.letters("devanagari"),
        "han": "".join(glyphs.all_han()),
    }
    for face in glyphs.FACES:
        for script in face.scripts:
            assert glyphs.covers(face.name, needs[script]), (face.name, script)


UNCIAL = {"righteous"}
"""Faces whose M is a large m on three stems, which an overlap of outlines does not tell."""


def test_cased_is_what_the_letters_say() -> None:
    for face in glyphs.FACES:
        if "latin" in face.scripts:
            same = [glyphs.likeness(face.name, c, c.upper()) > 0.9 for c in "abdefghnqrt"]
            assert face.cased == (sum(same) < 6 and face.name not in UNCIAL), face.name


def test_faces_look_of_one_size() -> None:
    for face in glyphs.FACES:
        char, height = REFERENCES[face.pool]
        assert glyphs.extent(face.name, char, 100.0)[1] == pytest.approx(height, abs=0.5)


def test_splits_own_disjoint_faces_and_characters() -> None:
    for script, least in (("latin", 3), ("han", 1), ("cyrillic", 1), ("devanagari", 1)):
        owned = [{face.name for face in glyphs.faces(split, script)} for split in SPLITS]
        assert min(map(len, owned)) >= least
        assert not any(a & b for a, b in combinations(owned, 2))
        assert set.union(*owned) == {f.name for f in glyphs.FACES if script in f.scripts}
    assert len(glyphs.faces("train", "latin")) >= 14
    assert len(glyphs.faces("train", "han")) >= 3
    for split in SPLITS:
        assert glyphs.faces(split, "latin", cased=True, plain=True)
    owned = [set(glyphs.han(split)) for split in SPLITS]
    assert not any(a & b for a, b in combinations(owned, 2))
    assert min(map(len, owned)) >= 20
    assert len(owned[0]) > 550


def test_families_stay_together() -> None:
    assert glyphs.owner("noto-sans-sc-medium") == glyphs.owner("noto-sans-sc-black")


def test_packages_of_faces_carry_a_licence() -> None:
    for package in glyphs.LICENCES:
        names = [path.name.upper() for path in npm_package(package).iterdir()]
        assert any(name.startswith("LICENSE") for name in names), package


@pytest.mark.parametrize(
    "pair", ["0O", "1l", "Il", "5S", "2Z", "6b", "9q", "cC", "未末", "己已", "AА", "8B", "OQ"]
)  # fmt: skip
def test_known_look_alikes_are_confusable_both_ways(pair: str) -> None:
    a, b = pair
    assert glyphs.confusable(a, b, cased=True)
    assert glyphs.confusable(b, a, cased=True)
    assert b in glyphs.look_alikes(a)
    assert not glyphs.all_distinct([a, b])


def test_confusable_is_symmetric_and_reflexive() -> None:
    chars = (
        "".join(map(glyphs.safe_alphabet, ("upper", "lower"))) + "ОΟ0" + "".join(glyphs.han("val"))
    )
    for a, b in combinations(chars, 2):
        assert glyphs.confusable(a, b) == glyphs.confusable(b, a)
    assert all(glyphs.confusable(c, c, cased=True) for c in chars)


def test_different_letters_are_not_confusable() -> None:
    assert not glyphs.confusable("A", "K")
    assert not glyphs.confusable("春", "花")
    assert not glyphs.confusable("A", "a", cased=True)
    assert glyphs.confusable("A", "a")


@pytest.mark.parametrize(
    "kind", ["digits", "upper", "lower", "upper_digits", "lower_digits", "cased"]
)
def test_safe_alphabets_hold_no_two_alike(kind: str) -> None:
    assert glyphs.all_distinct(glyphs.safe_alphabet(kind), cased=True)
    assert len(set(glyphs.safe_alphabet(kind))) == len(glyphs.safe_alphabet(kind)) >= 9


def test_texts_fold_where_readers_stumble() -> None:
    assert glyphs.fold_text("corn") == glyphs.fold_text("com")
    assert glyphs.fold_text("10") == glyphs.fold_text("lO")
    assert glyphs.fold_text("clip") == glyphs.fold_text("dip")
    assert glyphs.fold_text("house") != glyphs.fold_text("horse")
    assert glyphs.closes_up("savvy")
    assert not glyphs.closes_up("garden")


def test_turned_and_mirrored_letters_show_it_or_not() -> None:
    assert glyphs.becomes("b", "half_turn") == {"q"}
    assert glyphs.becomes("b", "mirror") == {"d"}
    assert "Z" in glyphs.becomes("N", "quarter_turn")
    assert not glyphs.shows("H", "half_turn")
    assert not glyphs.shows("A", "half_turn", "mirror")
    assert all(glyphs.shows(char, "half_turn", "mirror") for char in "FKPR春")


def test_symmetry_tables_agree_with_pixels() -> None:
    """In a plain face: what shows a move differs from itself moved, what does not is the same."""
    for char in "HINOSXZ":
        assert glyphs.likeness("inter", char, char, (180.0,)) > 0.8, char
    for char in "AMTUVWY":
        assert glyphs.likeness("inter", char, char, mirrored=True) > 0.8, char
    for char in "FKLPR":
        assert glyphs.likeness("inter", char, char, (180.0,)) < 0.7, char
        assert glyphs.likeness("inter", char, char, mirrored=True) < 0.7, char
    assert glyphs.likeness("inter", "b", "q", (180.0,)) > 0.85


def test_fields_do_not_fold() -> None:
    for number in range(60):
        field = choose_warp(Stream(f"warp-{number}"), 1.0, 40.0)
        assert least_jacobian(field, AREA) > LEAST_JACOBIAN
    folding = Warp(30.0, 20.0, 0.0, 30.0, 20.0, 0.0)
    with pytest.raises(Rejected, match="warp crowds the strokes"):
        check_warp(folding, AREA)


def test_no_field_moves_nothing_and_noise_stays_in_bounds() -> None:
    points = np.stack(np.meshgrid(np.arange(0.0, 200, 7), np.arange(0.0, 90, 7)), -1).reshape(-1, 2)
    assert np.array_equal(warped(points, Warp()), points)
    moved = warped(points, Warp(noise=5.0, cell=30.0, seed="s")) - points
    assert 1.0 < np.abs(moved).max() <= 5.0


def test_erosion_thins_and_keeps_the_hull_around_the_ink() -> None:
    areas = []
    for weight in (-1.5, 0.0, 1.5):
        spec = glyphs.GlyphSpec("R", "archivo-black", 60.0, 80.0, 80.0, FLAT, weight=weight)
        found = glyphs.ink(spec)
        at = np.argwhere(inked(found, FLAT))
        areas.append(len(at))
        assert min(depths(found, at[::20])) >= -EDGE_PX
    assert areas[0] < 0.97 * areas[1] < areas[1] < 0.97 * areas[2]


def test_visible_share_counts_what_is_left() -> None:
    first = np.zeros((10, 10), np.uint8)
    first[:, :6] = 255
    second = np.zeros((10, 10), np.uint8)
    second[:, 3:] = 255
    noise = np.zeros((10, 10), np.uint8)
    noise[0] = 255
    assert inkmasks.visible_shares([first, second]) == [0.5, 1.0]
    assert inkmasks.visible_shares([first, second], noise) == [0.45, 0.9]


def test_specs_survive_json() -> None:
    class State(pydantic.BaseModel):
        glyphs: tuple[glyphs.GlyphSpec, ...]
        field: Warp | None

    state = State(glyphs=tuple(samples(5)), field=choose_warp(Stream("json"), 0.5, 40.0))
    again = State.model_validate_json(state.model_dump_json())
    assert again == state
    assert glyphs.ink(again.glyphs[0], again.field) is glyphs.ink(state.glyphs[0], state.field)
