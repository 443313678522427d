"""Paint masks: where the targets of a page paint, found by making the page again.

Records hold how much ink a target has; its shape takes a browser and the page.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np

from factory.core.errors import FactoryError, RenderFailed, VerificationFailed
from factory.core.puzzle import Bitmap
from factory.core.rng import SampleKey
from factory.engine.scene_workshop import SceneWorkshop
from factory.engine.show import workshop_for
from factory.gallery.shown import Shown
from factory.web.verdict import PageFault
from factory.web.verdict.paint import ink_mask

TINT_BGRA = (255, 64, 255, 150)
"""Of ink: a pink that no token set has, through which letters are still read."""

MAX_MEAN_STEP = 4.0
"""Mean difference of levels between the page now and as recorded: JPEG at quality 90 has 1 to 2."""


class Inked(NamedTuple):
    """A picture to lay over a page (PNG with alpha, of its size), or why there is none."""

    png: bytes = b""
    note: str = ""


@dataclass
class Inks:
    """Makes pages of a run again, with one workshop for each scenario."""

    run: Path
    folders: tuple[str, ...] = ()
    _shops: dict[str, SceneWorkshop | FactoryError] = field(default_factory=dict)

    def of(self, shown: Shown) -> Inked:
        """The ink of a page's targets."""
        try:
            return Inked(png=self._mask(shown))
        except (FactoryError, PageFault, OSError) as error:
            return Inked(note=str(error))

    def _mask(self, shown: Shown) -> bytes:
        key, shop = SampleKey.parse(shown.record.key), self._shop(shown.record.key)
        page = shop.page(key, shown.record.attempts - 1)
        stage = shop.desk.stage(shop.shell(page.scene.kit), page.scene.window)
        stage.show(page.body)
        picture, mask = ink_mask(stage)
        _same(picture, shown.pictures[0], shown.record.key)
        tinted = np.zeros((*mask.shape, 4), np.uint8)
        tinted[mask > 0] = TINT_BGRA
        done, data = cv2.imencode(".png", tinted)
        if not done:
            raise RenderFailed("the mask cannot be encoded", key=shown.record.key)
        return data.tobytes()

    def _shop(self, key: str) -> SceneWorkshop:
        name = SampleKey.parse(key).type
        if name not in self._shops:
            try:
                self._shops[name] = _opened(key, self.run, self.folders)
            except FactoryError as error:
                self._shops[name] = error
        found = self._shops[name]
        if isinstance(found, FactoryError):
            raise found
        return found


def _opened(key: str, run: Path, folders: tuple[str, ...]) -> SceneWorkshop:
    shop: Any = workshop_for(SampleKey.parse(key), run, None, folders)
    if not isinstance(shop, SceneWorkshop):
        raise VerificationFailed("no scenario of pages", key=key)
    return shop


def _same(picture: bytes, recorded: Bitmap, key: str) -> None:
    now = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    if now is None or now.shape != recorded.shape:
        raise VerificationFailed("the page has another size here", key=key)
    step = float(cv2.absdiff(now, np.asarray(recorded)).mean())
    if step > MAX_MEAN_STEP:
        raise VerificationFailed(
            f"the page looks different here, by {step:.1f} levels on average", key=key
        )
