"""The typefaces of puzzles: what they look like, which scripts they carry, which split owns them.

Faces are owned by splits in pools, so that a model is validated and tested on
letters it has not seen: of each pool the families are ranked by the digest of
their names; the first go to test, the next to val, the rest to train. Twenty
families are too few for 90/5/5.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from factory.core.errors import DependencyMissing, InvalidOptions
from factory.core.rng import SPLITS, digest_int
from factory.draw.assets import npm_package
from factory.draw.fonts import PUZZLE_RANGES, static_font
from factory.draw.tokens import FONTS

HELD_OUT: Mapping[str, int] = {"latin": 3, "world": 1, "indic": 1, "han": 1}
"""Families that val and test get each, by pool."""


@dataclass(frozen=True)
class GlyphFace:
    """One face: ``files`` of ``package`` (npm), or a panel font cut at ``weight``.

    ``pool`` is what it is partitioned with; faces of one ``family`` go to one
    split. ``design`` says what it looks like. ``cased`` is False where small
    letters are drawn as capitals; ``plain`` is False for hands and display
    cuts whose letters are slow to read out of context.
    """

    name: str
    pool: str
    design: str
    package: str
    files: tuple[str, ...]
    weight: int = 400
    family: str = ""
    cased: bool = True
    plain: bool = True

    @property
    def scripts(self) -> tuple[str, ...]:
        """Scripts whose letters it has."""
        return SCRIPTS_OF_POOL[self.pool]

    def paths(self) -> tuple[Path, ...]:
        """The font files, without axes; ``DependencyMissing`` says what brings them."""
        if not self.files:
            return (static_font(str(FONTS[self.package].path()), self.weight, PUZZLE_RANGES),)
        found = tuple(npm_package(self.package) / file for file in self.files)
        for path in found:
            if not path.is_file():
                raise DependencyMissing(f"the font {path} is missing; run `factory setup`")
        return found


SCRIPTS_OF_POOL: Mapping[str, tuple[str, ...]] = {
    "latin": ("latin",),
    "world": ("latin", "cyrillic", "greek"),
    "indic": ("latin", "devanagari"),
    "han": ("han",),
}


def _google(name: str, file: str, design: str, *, cased: bool = True, plain: bool = True,
            pool: str = "latin") -> GlyphFace:  # fmt: skip
    package = f"@expo-google-fonts/{name}"
    return GlyphFace(name, pool, design, package, (file,), cased=cased, plain=plain)


def _source(name: str, subsets: str, design: str, pool: str, weight: int = 400,
            *, plain: bool = True) -> GlyphFace:  # fmt: skip
    files = tuple(f"files/{name}-{part}-{weight}-normal.woff" for part in subsets.split())
    return GlyphFace(name, pool, design, f"@fontsource/{name}", files, plain=plain)


def _noto(cut: str, file: str, design: str) -> GlyphFace:
    package = "@expo-google-fonts/noto-sans-sc"
    return GlyphFace(f"noto-sans-sc-{cut}", "han", design, package, (file,), family="noto-sans-sc")


FACES: tuple[GlyphFace, ...] = (
    _google("abril-fatface", "400Regular/AbrilFatface_400Regular.ttf", "fat didone"),
    _google("anton", "400Regular/Anton_400Regular.ttf", "heavy condensed grotesque"),
    _google("archivo-black", "400Regular/ArchivoBlack_400Regular.ttf", "heavy grotesque"),
    _google("audiowide", "400Regular/Audiowide_400Regular.ttf", "wide techno"),
    _google("bangers", "400Regular/Bangers_400Regular.ttf", "comic capitals", cased=False),
    _google("carter-one", "400Regular/CarterOne_400Regular.ttf", "bold casual italic"),
    _google("courier-prime", "700Bold/CourierPrime_700Bold.ttf", "typewriter mono"),
    _google("dm-serif-display", "400Regular/DMSerifDisplay_400Regular.ttf", "display serif"),
    _google("gochi-hand", "400Regular/GochiHand_400Regular.ttf", "felt-pen hand", plain=False),
    _google("league-gothic", "400Regular/LeagueGothic_400Regular.ttf", "condensed gothic"),
    _google("lilita-one", "400Regular/LilitaOne_400Regular.ttf", "heavy soft sans"),
    _google("lobster", "400Regular/Lobster_400Regular.ttf", "bold script", plain=False),
    _google("patrick-hand", "400Regular/PatrickHand_400Regular.ttf", "neat hand"),
    _google("permanent-marker", "400Regular/PermanentMarker_400Regular.ttf", "marker capitals",
            cased=False),
    _google("questrial", "400Regular/Questrial_400Regular.ttf", "geometric sans"),
    _google("righteous", "400Regular/Righteous_400Regular.ttf", "art deco", cased=False),
    _google("rye", "400Regular/Rye_400Regular.ttf", "western poster", plain=False),
    _google("share-tech-mono", "400Regular/ShareTechMono_400Regular.ttf", "technical mono"),
    _google("special-elite", "400Regular/SpecialElite_400Regular.ttf", "worn typewriter"),
    _google("varela-round", "400Regular/VarelaRound_400Regular.ttf", "rounded sans"),
    _google("vt323", "400Regular/VT323_400Regular.ttf", "terminal pixels"),
    _google("young-serif", "400Regular/YoungSerif_400Regular.ttf", "old-style serif"),
    _source("alfa-slab-one", "latin", "heavy slab", "latin"),
    GlyphFace("inter", "world", "neutral grotesque", "Inter", (), weight=600),
    GlyphFace("source-sans-3", "world", "humanist sans", "Source Sans 3", (), weight=700),
    _google("comfortaa", "700Bold/Comfortaa_700Bold.ttf", "round geometric", pool="world"),
    _google("press-start-2p", "400Regular/PressStart2P_400Regular.ttf", "arcade pixels",
            pool="world"),
    _google("kalam", "700Bold/Kalam_700Bold.ttf", "slanted hand", pool="indic"),
    _source("modak", "latin devanagari", "bubble display", "indic", plain=False),
    _source("hind", "latin devanagari", "plain humanist", "indic", weight=600),
    _noto("medium", "500Medium/NotoSansSC_500Medium.ttf", "hei, medium"),
    _noto("black", "900Black/NotoSansSC_900Black.ttf", "hei, black"),
    _source("zcool-kuaile", "chinese-simplified", "round comic", "han"),
    _source("zcool-qingke-huangyou", "chinese-simplified", "narrow poster", "han"),
    _source("zcool-xiaowei", "chinese-simplified", "soft song", "han"),
    _source("ma-shan-zheng", "chinese-simplified", "brush kai", "han"),
)  # fmt: skip

_BY_NAME = {face.name: face for face in FACES}

LICENCES: Mapping[str, str] = {
    face.package: "Apache-2.0" if face.name in ("permanent-marker", "special-elite") else "OFL-1.1"
    for face in FACES
    if face.files
}
"""npm packages of fonts that a picture may show, with the licence of the font."""


def face_named(name: str) -> GlyphFace:
    """One face; ``InvalidOptions`` with the known names when there is none."""
    if name not in _BY_NAME:
        raise InvalidOptions(f"no face {name!r}; there are {', '.join(sorted(_BY_NAME))}")
    return _BY_NAME[name]


@cache
def owner(name: str) -> str:
    """The split that owns a face."""
    face = face_named(name)
    families = {other.family or other.name for other in FACES if other.pool == face.pool}
    ranked = sorted(families, key=lambda family: (digest_int(f"face|{family}"), family))
    place = ranked.index(face.family or face.name)
    held = HELD_OUT[face.pool]
    return "test" if place < held else "val" if place < 2 * held else "train"


@cache
def faces(split: str, script: str = "latin", *, cased: bool = False, plain: bool = False,
          ) -> tuple[GlyphFace, ...]:  # fmt: skip
    """The faces of a split that carry a script.

    With ``cased`` those that draw small letters as such, with ``plain`` those
    whose single letters are read at once. Every split has three or more Latin
    faces and one or more for each other script.
    """
    if split not in SPLITS:
        raise InvalidOptions(f"no split {split!r}; there are {', '.join(SPLITS)}")
    return tuple(
        face
        for face in FACES
        if script in face.scripts
        and owner(face.name) == split
        and (face.cased or not cased)
        and (face.plain or not plain)
    )
