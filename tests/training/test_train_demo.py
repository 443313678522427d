"""The demonstration: its small model says what the answer form says, and the chain runs whole."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import orjson
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed; run `make train-extra`")

from factory.core.errors import InvalidOptions
from tests.runs import factory
from training.demo.chain import DOMAINS, MODELS, MOPD_FORMS, jobs_of
from training.demo.items import AIMS, HEIGHT_PX, WIDTH_PX
from training.demo.net import POINTS, PixelNet, Tower, spread
from training.demo.play import answered, chosen, golds, logps_of, mask_of, questions
from training.demo.report import claims, plot, table, verdicts
from training.demo.stages import Plan, grpo_loss, normalised, planned
from training.demo.words import END, answer_ids, offsets, said

pytestmark = pytest.mark.train

DRAG = "<think></think><action>Drag(start=(120, 905), end=(7, 905))</action>"

CLOSE = 1e-5
"""Logits of float32 after two layers agree to this between one pass and many."""


class TestWords:
    @pytest.mark.parametrize("text", [DRAG, "[-1,-1]", "[12,999]"])
    def test_an_answer_comes_back_as_written(self, text: str) -> None:
        ids = answer_ids(text)
        assert said(ids) == text and ids[-1] == END

    def test_offsets_are_the_characters_of_the_pieces(self) -> None:
        ids = answer_ids(DRAG)
        cut = [DRAG[at[0] : at[1]] for at in offsets(ids) if at is not None]
        assert "".join(cut) == DRAG
        assert cut[:3] == ["<think></think><action>", "Drag(start=(", "1"]
        assert offsets(ids)[-1] is None

    def test_text_of_another_form_is_refused(self) -> None:
        with pytest.raises(InvalidOptions, match="no pieces for 'Tap"):
            answer_ids("Tap(1, 2)")


@pytest.fixture(scope="module")
def asked() -> Any:
    """A net, two panels as the tower tells them, and a question to each; unlike in length."""
    seen = torch.rand(2, POINTS, 3, generator=torch.Generator().manual_seed(1))
    return PixelNet(3).eval(), seen, questions(["Locate the round knob", "Slide"])


class TestNet:
    def test_token_by_token_is_what_it_would_say_at_once(self, asked: Any) -> None:
        net, seen, texts = asked
        drawn = answered(net, seen, texts, times=3, draws=torch.Generator().manual_seed(0))
        assert len(drawn) == 6
        greedy = answered(net, seen, texts)
        logps = logps_of(net, seen, texts, greedy)
        logps[..., 0] = -torch.inf  # padding is never said
        mask = mask_of(greedy).bool()
        assert torch.equal(logps.argmax(dim=-1)[mask], greedy[mask])

    def test_answers_to_one_panel_share_it(self, asked: Any) -> None:
        net, seen, texts = asked
        answers = golds([DRAG, "[3,4]", "[-1,-1]", DRAG])
        together = chosen(logps_of(net, seen, texts, answers, times=2), answers)
        for row in range(4):
            k = slice(row // 2, row // 2 + 1)
            alone = logps_of(net, seen[k], texts[k], answers[row : row + 1])
            found = chosen(alone, answers[row : row + 1])[0]
            mask = mask_of(answers[row : row + 1])[0].bool()
            assert torch.allclose(found[mask], together[row][mask], atol=CLOSE)

    def test_padding_of_a_question_says_nothing(self, asked: Any) -> None:
        net, seen, texts = asked
        answers = golds([DRAG, "[3,4]"])
        wider = torch.nn.functional.pad(texts, (0, 5))
        wanted = logps_of(net, seen, texts, answers)
        assert torch.allclose(logps_of(net, seen, wider, answers), wanted, atol=CLOSE)

    def test_the_end_counts_and_nothing_behind_it(self) -> None:
        rows = torch.tensor([[5, END, 0, END], [5, 6, 7, 8]])
        assert mask_of(rows).tolist() == [[1, 1, 0, 0], [1, 1, 1, 1]]

    def test_places_are_exact_between_cells(self) -> None:
        """The cells around an aim, by their weights, have it as their mean place."""
        aims = torch.rand(3, POINTS, 2, generator=torch.Generator().manual_seed(0)) * 0.9 + 0.05
        weights = spread(aims)
        assert torch.allclose(weights.sum(dim=-1), torch.ones(3, POINTS), atol=CLOSE)
        assert torch.allclose(weights @ Tower().coarse, aims, atol=CLOSE)

    def test_the_tower_tells_places_on_the_panel(self) -> None:
        pixels = torch.zeros(2, 3, HEIGHT_PX, WIDTH_PX, dtype=torch.uint8)
        told = Tower()(pixels)
        assert told.shape == (2, len(AIMS), 3)
        assert ((told >= 0) & (told <= 1)).all()


class TestObjective:
    def test_groups_are_measured_by_themselves_and_equal_ones_teach_nothing(self) -> None:
        gains = normalised(torch.tensor([1.0, 0.0, 1.0, 0.0, 0.4, 0.4, 0.4, 0.4]), 4)
        assert gains[:4].sum().abs() < CLOSE and gains[0] > 0.8
        assert gains[4:].abs().max() == 0

    def test_on_policy_the_gradient_is_that_of_the_weighted_log_probability(self) -> None:
        logps = torch.randn(2, 3, dtype=torch.float64, requires_grad=True)
        gains = torch.tensor([1.5, -0.5], dtype=torch.float64)
        mask = torch.tensor([[1, 1, 0], [1, 1, 1]], dtype=torch.float64)
        grpo_loss(logps, logps.detach(), gains, mask).backward()
        wanted = -(gains[:, None] * mask / mask.sum(dim=1, keepdim=True)) / 2
        assert logps.grad is not None and torch.allclose(logps.grad, wanted)


class TestPlan:
    def test_sizes_are_changed_by_name(self) -> None:
        assert planned(["rl_steps=7", "rl_lr=0.5"]) == Plan(rl_steps=7, rl_lr=0.5)

    @pytest.mark.parametrize("change", ["rl_step=7", "rl_steps=x", "rl_steps"])
    def test_what_is_no_size_is_told(self, change: str) -> None:
        with pytest.raises(InvalidOptions, match="is none of tower_steps"):
            planned([change])

    def test_every_model_waits_for_those_it_is_made_of(self) -> None:
        needs = {job.name: set(job.needs) for job in jobs_of([0])}
        assert needs["base"] == set() and needs["mixed"] == {"base"}
        assert needs["ties"] == needs["mopd"] == {f"teacher-{name}" for name in DOMAINS}
        assert list(needs) == list(MODELS)


def results_of(**rates: float) -> list[dict[str, Any]]:
    """Two seeds in which every model has a rate of its own in all domains, of 1,000 items."""
    return [
        {
            "seed": seed,
            "name": name,
            "cpu_s": 1.0,
            "domains": {
                domain: {"n": 1000, "passed": round(1000 * rates.get(name, 0.5)), "format": 1000,
                         "absent": 100, "refused": 50, "over_refused": 9}
                for domain in DOMAINS
            },
        }
        for seed in (0, 1)
        for name in MODELS
    ]  # fmt: skip


class TestReport:
    def test_a_teacher_is_better_beyond_the_intervals_only(self) -> None:
        teachers = [f"teacher-{name}" for name in DOMAINS]
        near = claims(results_of(base=0.50, **dict.fromkeys(teachers, 0.53)))
        far = claims(results_of(base=0.50, **dict.fromkeys(teachers, 0.60)))
        assert [one["teacher_above_base"] for one in near] == [0] * len(DOMAINS)
        assert [one["teacher_above_base"] for one in far] == [2] * len(DOMAINS)

    def test_a_student_keeps_its_teacher_from_95_hundredths_on(self) -> None:
        teachers = [f"teacher-{name}" for name in DOMAINS]
        for student, kept in ((0.759, 0), (0.760, 2)):
            found = claims(results_of(mopd=student, **dict.fromkeys(teachers, 0.8)))
            assert [one["mopd_keeps_teacher"] for one in found] == [kept] * len(DOMAINS)

    def test_the_table_has_every_model_and_the_plot_every_seed(self) -> None:
        results = results_of(mopd=0.7)
        assert len(table(results).splitlines()) == 2 + len(MODELS)
        assert "| MOPD | 70.0 (70.0..70.0) |" in table(results)
        assert plot(results).count("<circle") == len(DOMAINS) * (1 + 2 * len(MODELS))
        assert len(verdicts(results).splitlines()) == len(DOMAINS)


SMALL = ("--seeds", "1", "--panels", "16", "--items", "8", "--workers", "2")
STEPS = [
    f"{name}={value}"
    for name, value in {
        "tower_steps": 3, "tower_batch": 4, "sft_steps": 4, "sft_batch": 8, "rl_steps": 2,
        "mopd_steps": 3, "prompts": 2, "group": 2,
    }.items()
]  # fmt: skip


LOGGED = {"base": 4, "linear": 0, "ties": 0, **dict.fromkeys(MOPD_FORMS, 3)}
"""Steps that a model's result tells of; two of RL otherwise."""


@pytest.mark.long
def test_the_chain_runs_from_shards_to_the_table_and_is_not_done_twice(tmp_path: Path) -> None:
    """Far too small to learn anything: every stage is run, and every number is of the run."""
    words = ["train", "demo", "--out", tmp_path / "demo", *SMALL]
    for change in STEPS:
        words += ["--set", change]
    first = factory(*words)
    assert first.returncode == 0, first.stderr[-2000:]
    lines = [line for line in first.stdout.splitlines() if line.startswith("seed 0")]
    assert {line.split()[2] for line in lines} == set(MODELS)
    facts = orjson.loads((tmp_path / "demo" / "demo.json").read_bytes())
    assert facts["plan"]["rl_steps"] == 2
    for result in facts["results"]:
        assert {name: one["n"] for name, one in result["domains"].items()} == {
            "slider_jigsaw_gap": 8, "slider_drag_to_end": 8, "places": 8
        }  # fmt: skip
        steps = orjson.loads((tmp_path / "demo/results" / f"0-{result['name']}.json").read_bytes())
        assert len(steps["log"]) == LOGGED.get(result["name"], 2)
    models = tmp_path / "demo" / "models"
    assert {path.name for path in models.iterdir()} == {f"0-{one}.safetensors" for one in MODELS}
    base, student = (models / f"0-{name}.safetensors" for name in ("base", "mopd"))
    assert base.read_bytes() != student.read_bytes()

    again = factory(*words)
    assert not re.search(r"^(seed|tower)", again.stdout, re.MULTILINE)
    assert (
        again.stdout[again.stdout.index("# The demo") :]
        == (first.stdout[first.stdout.index("# The demo") :])
    )
