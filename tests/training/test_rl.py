"""Claims about offline RL: groups that are counted, what is logged and learned, how it resumes."""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed; run `make train-extra`")

from transformers import AutoModelForImageTextToText

import training.rl
from factory.core.errors import InvalidOptions
from factory.core.reward import Reward
from tests.training.runs_for_training import examples
from tests.training.stages import (
    LLAVA,
    TINY,
    Stopped,
    paid_for_digits,
    rl_config,
    stop_after,
    told,
)
from training.collate import ChatForm
from training.config import ModelConfig
from training.group_stats import group_counts, measures
from training.models import load_policy
from training.rewards import DEFAULTS
from training.rl import Payment, train_rl

pytestmark = pytest.mark.train

CLOSE = {"rel": 1e-4, "abs": 1e-6}
"""Float32 sums over another split of the batch."""


@pytest.fixture
def paid_by_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures are paid: answers of a random model are worth nothing else, and give no gradient."""
    monkeypatch.setattr(training.rl, "score", paid_for_digits)


@pytest.fixture(scope="module")
def form() -> ChatForm:
    return ChatForm.of(load_policy(ModelConfig(name=TINY))[1])


class TestGroups:
    def test_groups_of_equal_rewards_are_counted_by_how_they_are_equal(self) -> None:
        rewards = [1, 1, 0, 0, 0.4, 0.4, 0.1, 1.0]
        outcomes = [1, 1, 0, 0, 0, 0.5, 0, 1]
        assert group_counts(rewards, outcomes, 2) == (4, 3, 1, 1)

    def test_one_answer_that_differs_is_variance_and_rounding_is_none(self) -> None:
        assert group_counts([0.3, 0.3, 0.3, 0.4], [0] * 4, 4).zero_variance == 0
        third = [0.1 + 0.2, 0.3, 0.3, 0.3]
        assert third[0] != third[1]
        assert group_counts(third, [0] * 4, 4).zero_variance == 1

    def test_what_is_no_groups_is_an_error(self) -> None:
        with pytest.raises(ValueError, match="3 rewards are no groups of 2"):
            group_counts([1, 1, 1], [1, 1, 1], 2)


class TestMeasures:
    @staticmethod
    def question(kind: str, refuses: bool = False, domain: str = "a") -> Any:
        return SimpleNamespace(kind=kind, refuses=refuses, domain=domain)

    def test_refusals_are_of_places_and_over_refusals_of_those_that_are_there(self) -> None:
        asked = [self.question("grounding"), self.question("grounding", refuses=True),
                 self.question("grounding"), self.question("captcha", domain="b")]  # fmt: skip
        scored = [Reward(0, 1, 0, outcome, "") for outcome in (0, 1, 1, 0)]
        found = measures(asked, scored, [True, True, False, False])
        assert found["refusal_rate"] == pytest.approx(2 / 3)
        assert found["over_refusal"] == 0.5
        assert (found["outcome/a"], found["outcome/b"]) == (pytest.approx(2 / 3), 0.0)
        assert found["reward/outcome"] == 0.5

    def test_without_places_there_is_no_refusal_rate(self) -> None:
        found = measures([self.question("captcha")], [Reward(1, 1, 1, 1, "")], [False])
        assert "refusal_rate" not in found and "over_refusal" not in found


class TestPayment:
    def test_gold_answers_are_paid_in_full_through_the_trainers_door(
        self, form: ChatForm, rotate_run: Path
    ) -> None:
        logged: dict[str, float] = {}
        asked = list(examples(rotate_run))[:4]
        ids = [form.answer_ids(one.response) for one in asked]
        ids[3] = form.answer_ids("<think></think><action>Wait()</action>")
        pay = Payment(form, DEFAULTS, group=2)
        totals = pay(completion_ids=ids, example=asked, log_metric=logged.__setitem__)
        assert totals[:3] == [1.0, 1.0, 1.0] and totals[3] == pytest.approx(0.1)
        assert logged["groups/groups"] == 2 and logged["groups/zero_variance"] == 1
        assert logged["groups/all_right"] == 1 and logged["reward/format"] == 1.0
        assert logged["reward/outcome"] == logged[f"outcome/{asked[0].domain}"] == 0.75


LEARNED = 0.25
"""A share of figures that luck does not reach: three steps of 16 random answers of ten bytes have
0.06 with a spread of 0.02, and a policy that learned 0.4 to 0.6, by the pictures it met."""


class TestRuns:
    def test_a_random_model_has_groups_without_variance_and_all_is_logged(
        self, rotate_run: Path, tmp_path: Path
    ) -> None:
        folder = train_rl(rl_config(rotate_run, tmp_path / "rl"))
        for line in folder.metrics()[:2]:
            assert line["groups/groups"] == 2 and line["groups/zero_variance"] == 2
            assert line["groups/all_wrong"] == 2 and line["frac_reward_zero_std"] == 1.0
            assert line["loss"] == 0.0 and line["grad_norm"] == 0.0
            for name in ("entropy", "reward/format", "reward/types", "outcome/turn",
                         "completions/mean_length", "completions/clipped_ratio"):  # fmt: skip
                assert math.isfinite(line[name])
        model = AutoModelForImageTextToText.from_pretrained(folder.model)
        assert model.config.model_type == "qwen3_vl"
        assert (folder.path / "curves.svg").stat().st_size > 1000

    @pytest.mark.long
    def test_the_reward_rises_and_the_distance_to_the_start_is_logged(
        self, rotate_run: Path, tmp_path: Path, paid_by_figures: None
    ) -> None:
        """A tenth of a random model's bytes are figures; learning leaves that far behind."""
        config = rl_config(
            rotate_run, tmp_path / "rl", model={"name": LLAVA}, group=8, beta=1e-3,
            optim={"steps": 24, "lr": 5e-3, "batch": 16, "save_every": 24},
        )  # fmt: skip
        metrics = train_rl(config).metrics()[:24]
        rewards = [line["reward"] for line in metrics]
        assert sum(rewards[:3]) / 3 < 0.15
        assert sum(rewards[-3:]) / 3 > LEARNED, rewards
        assert metrics[0]["kl"] == pytest.approx(0.0, abs=1e-6) and metrics[-1]["kl"] > 0.1
        assert metrics[-1]["entropy"] < metrics[0]["entropy"]

    def test_splitting_a_step_into_passes_changes_nothing(
        self, rotate_run: Path, tmp_path: Path, paid_by_figures: None
    ) -> None:
        found = []
        for batch, accumulation in ((8, 1), (4, 2)):
            optim = {"batch": batch, "accumulation": accumulation, "steps": 1}
            config = rl_config(rotate_run, tmp_path / str(batch), optim=optim)
            found.append(train_rl(config).metrics()[0])
        assert found[0]["grad_norm"] > 0
        assert found[1]["reward"] == pytest.approx(found[0]["reward"])
        assert found[1]["grad_norm"] == pytest.approx(found[0]["grad_norm"], **CLOSE)

    @pytest.mark.parametrize("iterations", [1, 2])
    def test_it_resumes_with_the_same_losses(
        self,
        rotate_run: Path,
        tmp_path: Path,
        paid_by_figures: None,
        monkeypatch: pytest.MonkeyPatch,
        iterations: int,
    ) -> None:
        changes = {"optim": {"steps": 4, "save_every": 2}, "iterations": iterations, "beta": 0.1}
        whole = train_rl(rl_config(rotate_run, tmp_path / "whole", **changes))
        halves = rl_config(rotate_run, tmp_path / "halves", **changes)
        with monkeypatch.context() as patch:
            stop_after(3, patch)
            with pytest.raises(Stopped):
                train_rl(halves)
        resumed = train_rl(halves, resume=True)
        assert any(line["grad_norm"] > 0 for line in told(whole)[2:4])
        assert told(resumed) == told(whole)

    def test_adapters_are_trained_and_come_out_merged(
        self, rotate_run: Path, tmp_path: Path, paid_by_figures: None
    ) -> None:
        lora = {"name": TINY, "lora": {"rank": 4, "targets": ["q_proj", "v_proj"]}}
        config = rl_config(rotate_run, tmp_path / "rl", model=lora, beta=0.1)
        folder = train_rl(config)
        before = load_policy(ModelConfig(name=TINY))[0].state_dict()
        after = AutoModelForImageTextToText.from_pretrained(folder.model).state_dict()
        assert set(after) == set(before)
        changed = {name for name in after if not torch.equal(after[name], before[name])}
        assert changed and all("q_proj" in name or "v_proj" in name for name in changed)


def test_steps_that_are_no_whole_groups_are_refused(rotate_run: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidOptions, match="6 answers a process and step must be a multiple"):
        rl_config(rotate_run, tmp_path, optim={"batch": 6})
    with pytest.raises(InvalidOptions, match="gives one answer again and again"):
        rl_config(rotate_run, tmp_path, sample={"temperature": 0})
