"""Faults of randomness and labels."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from captcha_types.rotate.rotate import Rotate, RotateState
from factory.core.errors import Rejected
from factory.core.puzzle import Content, Scene
from factory.core.rng import SampleKey


class Relabelled(Rotate):
    """The healthy class with another turn or way in its states."""

    caught_by: ClassVar[str] = ""
    because: ClassVar[str] = ""

    def relabel(self, scene: Scene, state: RotateState) -> tuple[float, int]:
        """``(need_deg, way)`` instead of the state's."""
        raise NotImplementedError

    def sample(self, scene: Scene) -> RotateState:
        state = super().sample(scene)
        need, way = self.relabel(scene, state)
        need = round(need, 6)
        lean = round(-way * need % 360.0, 6)
        return state.model_copy(update={"need_deg": need, "way": way, "lean_deg": lean})


class SequentialSeed(Relabelled):
    """``seed + index``: sample 1 of seed 0 is sample 0 of seed 1."""

    caught_by, because = "C2", "in the next seed"

    def relabel(self, scene: Scene, state: RotateState) -> tuple[float, int]:
        key = SampleKey.parse(scene.rng.root)
        low, high = self.turn_range(scene)
        return random.Random(key.seed + key.index).uniform(low, high), state.way


class SharedStream(Relabelled):
    """Neighbouring indices draw from one stream."""

    caught_by, because = "C2", "in the same seed"

    def relabel(self, scene: Scene, state: RotateState) -> tuple[float, int]:
        key = SampleKey.parse(scene.rng.root)
        low, high = self.turn_range(scene)
        return random.Random(f"{key.seed}/{key.index // 2}").uniform(low, high), state.way


class OneSplit(Rotate):
    """Test pictures come from the training set."""

    caught_by, because = "C2", "share"

    def contents(self, split: str) -> Sequence[Content]:
        return super().contents("train")

    def sample(self, scene: Scene) -> RotateState:
        return super().sample(Scene(**{**vars(scene), "split": "train"}))


class FewHeldOut(Rotate):
    """The held-out pictures come round long before their number is through."""

    caught_by, because = "C2", "repeat in val"

    def sample(self, scene: Scene) -> RotateState:
        few = scene.content_number % 4 if scene.split == "val" else scene.content_number
        return super().sample(replace(scene, content_number=few))


class Clock(Relabelled):
    """The time of day decides the turn."""

    caught_by, because = "C1", "made again in this process"

    def relabel(self, scene: Scene, state: RotateState) -> tuple[float, int]:
        low, high = self.turn_range(scene)
        return low + (high - low) * (time.perf_counter() % 1.0), state.way


class SetOrder(Relabelled):
    """The first of a set of texts, which every process orders its own way."""

    caught_by, because = "C1", "in a fresh process"

    def relabel(self, scene: Scene, state: RotateState) -> tuple[float, int]:
        return float(next(iter({f"{turn}" for turn in range(100, 250)}))), state.way


class Counting(Relabelled):
    """A counter in the module: a sample depends on how many were made before it."""

    caught_by, because = "C1", "made again in this process"
    made: ClassVar[int] = 0

    def relabel(self, scene: Scene, state: RotateState) -> tuple[float, int]:
        type(self).made += 1
        return 100.0 + type(self).made % 100, state.way


class LabelInTheLoop(Relabelled):
    """A rejection re-draws the label."""

    caught_by, because = "C8", "three rejections move the label"

    def relabel(self, scene: Scene, state: RotateState) -> tuple[float, int]:
        return scene.rng.fresh("need").uniform(*self.turn_range(scene)), state.way


class OneAnswer(Relabelled):
    """The answer is always the same."""

    caught_by, because = "C8", "one constant answer passes 1000 of 1000"

    def relabel(self, scene: Scene, state: RotateState) -> tuple[float, int]:
        return 180.0, state.way


class FirstOption(Relabelled):
    """The slider always turns the picture clockwise."""

    caught_by, because = "C8", "'way' is always 0"

    def relabel(self, scene: Scene, state: RotateState) -> tuple[float, int]:
        return state.need_deg, 1


class BentPrior(Relabelled):
    """Small turns are likelier than the declared range says."""

    caught_by, because = "C8", "labels are not even in the range of 'need'"

    def relabel(self, scene: Scene, state: RotateState) -> tuple[float, int]:
        low, high = self.turn_range(scene)
        return low + (high - low) * scene.rng.fixed("bent").random() ** 1.2, state.way


class Fussy(Rotate):
    """Three of four draws are refused for no reason."""

    caught_by, because = "C12", "attempts or more"

    def sample(self, scene: Scene) -> RotateState:
        if scene.rng.fresh("mood").chance(0.75):
            raise Rejected("not to my liking")
        return super().sample(scene)


SABOTEURS = (
    SequentialSeed, SharedStream, OneSplit, Clock, SetOrder, Counting, LabelInTheLoop, OneAnswer,
    FirstOption, BentPrior, Fussy, FewHeldOut,
)  # fmt: skip
