"""Faults of words, versions and documentation (this module has no sections)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from captcha_types.rotate.rotate import Rotate, RotateState
from factory.core.actions import ActionBase
from factory.core.mechanics import AnyMechanic
from factory.core.record import Slot


class StaleNumber(Rotate):
    """The reasoning speaks of a turn that was re-drawn since."""

    caught_by, because = "C10", "is true of nothing"

    def reason_slots(
        self, state: RotateState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        slots = super().reason_slots(state, mechanic, gold, lang)
        return {**slots, "need_deg": Slot("angle", round(state.need_deg) + 7)}


class RoundedTwice(Rotate):
    """Points are rounded before they go to the grid, so text and action differ now and then."""

    caught_by, because = "C10", "is true of nothing"

    def reason_slots(
        self, state: RotateState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        slots = super().reason_slots(state, mechanic, gold, lang)
        end = [round(value, 3) for value in slots["end"].value]
        return {**slots, "end": Slot("point", end)}


class SaysTheAnswer(Rotate):
    """The goal tells how many degrees the answer is."""

    caught_by, because = "C9", "state a number or text of the answer"

    def goal_slots(self, state: RotateState, lang: str) -> dict[str, str]:
        return {**super().goal_slots(state, lang), "track_deg": f"{state.need_deg:.0f}"}


class Undocumented(Rotate):
    """Nothing to read."""

    caught_by, because = "C13", "no section 'Rule'"


class ChangedInSilence(Rotate):
    """The label's range was widened and the version left as it was."""

    caught_by, because = "C14", "raise the version"

    def track_turn(self, difficulty: float) -> float:
        return super().track_turn(difficulty) - 5.0


SABOTEURS = (StaleNumber, RoundedTwice, SaysTheAnswer, Undocumented, ChangedInSilence)
