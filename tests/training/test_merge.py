"""Claims about merging: the two rules in float64, and what happens to files."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import orjson
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed; run `make train-extra`")

from safetensors import safe_open
from safetensors.torch import load_file, save_file

from factory.core.errors import InvalidOptions
from training.merge import linear, merge, ties, trim

pytestmark = pytest.mark.train

EXACT = {"rtol": 1e-13, "atol": 1e-15}
"""Float64 arithmetic in another order."""


def drawn(seed: int, *shape: int):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


BASE = drawn(0, 7, 5)
OTHERS = [BASE + drawn(k, 7, 5) for k in (1, 2, 3)]


class TestLinear:
    def test_it_is_the_weighted_mean(self) -> None:
        mixed = linear(OTHERS, [1.0, 2.0, 5.0])
        expected = (OTHERS[0] + 2 * OTHERS[1] + 5 * OTHERS[2]) / 8
        torch.testing.assert_close(mixed, expected, **EXACT)

    def test_equal_models_give_themselves(self) -> None:
        torch.testing.assert_close(linear([BASE, BASE], [1.0, 3.0]), BASE, **EXACT)


class TestTies:
    def test_one_model_at_density_one_is_that_model(self) -> None:
        mixed = ties(BASE, OTHERS[:1], [1.0], density=1.0)
        torch.testing.assert_close(mixed, OTHERS[0], **EXACT)

    def test_without_changes_the_base_stays(self) -> None:
        assert torch.equal(ties(BASE, [BASE, BASE], [1.0, 1.0], density=0.3), BASE)

    def test_of_opposite_signs_the_larger_mass_wins_and_equal_ones_cancel(self) -> None:
        base = torch.zeros(4, dtype=torch.float64)
        models = [
            torch.tensor([3.0, 1.0, 2.0, -1.0]).double(),
            torch.tensor([-1.0, 1.0, -2.0, -3.0]).double(),
            torch.tensor([1.0, -1.5, 0.0, 0.5]).double(),
        ]
        mixed = ties(base, models, [1.0] * 3, density=1.0)
        torch.testing.assert_close(mixed, torch.tensor([2.0, 1.0, 0.0, -2.0]).double(), **EXACT)

    def test_weights_count_in_the_vote_and_in_the_mean(self) -> None:
        base = torch.zeros(2, dtype=torch.float64)
        models = [torch.tensor([1.0, 4.0]).double(), torch.tensor([-0.5, 1.0]).double()]
        mixed = ties(base, models, [1.0, 3.0], density=1.0)
        torch.testing.assert_close(mixed, torch.tensor([-0.5, 7.0 / 4]).double(), **EXACT)

    def test_trimming_keeps_the_largest_changes_of_each_model(self) -> None:
        delta = torch.tensor([[0.1, -5.0, 0.2], [3.0, -0.3, 0.0]]).double()
        kept = trim(delta, 1 / 3)
        assert kept.tolist() == [[0.0, -5.0, 0.0], [3.0, 0.0, 0.0]]
        assert trim(delta, 1e-9).count_nonzero() == 1
        assert trim(torch.ones(10), 0.3).count_nonzero() == 3

    @pytest.mark.parametrize("density", [0.2, 0.5, 0.9])
    def test_it_is_the_papers_algorithm_entry_by_entry(self, density: float) -> None:
        deltas = []
        for model in OTHERS:
            flat = (model - BASE).flatten().tolist()
            keep = max(1, round(density * len(flat)))
            largest = set(sorted(range(len(flat)), key=lambda k: -abs(flat[k]))[:keep])
            deltas.append([v if k in largest else 0.0 for k, v in enumerate(flat)])
        expected = []
        for k, start in enumerate(BASE.flatten().tolist()):
            votes = [d[k] for d in deltas]
            mass = sum(votes)
            same = [v for v in votes if v * mass > 0]
            expected.append(start + 0.7 * (sum(same) / len(same) if same else 0.0))
        mixed = ties(BASE, OTHERS, [1.0] * 3, density=density, scale=0.7)
        wanted = torch.tensor(expected, dtype=torch.float64)
        torch.testing.assert_close(mixed.flatten(), wanted, **EXACT)


def saved(folder: Path, tensors, tied: bool | None = None, **config) -> Path:
    folder.mkdir(parents=True)
    save_file({k: v.contiguous() for k, v in tensors.items()}, folder / "model.safetensors")
    config |= {} if tied is None else {"text_config": {"tie_word_embeddings": tied}}
    (folder / "config.json").write_bytes(orjson.dumps(config))
    (folder / "tokenizer.json").write_text("{}")
    (folder / "optimizer.pt").write_bytes(b"x")
    return folder


def weights(seed: int, dtype=torch.float32):
    return {
        "model.visual.patch.weight": drawn(seed, 4, 3).to(dtype),
        "model.text.embed.weight": drawn(seed + 50, 6, 2).to(dtype),
        "model.text.count": torch.arange(3),
    }


class TestFiles:
    def test_all_tensors_are_merged_vision_ones_too_and_the_rest_is_copied(
        self, tmp_path: Path
    ) -> None:
        models = [saved(tmp_path / str(k), weights(k)) for k in (1, 2)]
        out = merge(models, tmp_path / "out", weights=[1, 3])
        found = load_file(out / "model.safetensors")
        assert set(found) == set(weights(1))
        for name in ("model.visual.patch.weight", "model.text.embed.weight"):
            one, two = (weights(k)[name].double() for k in (1, 2))
            assert torch.equal(found[name], (0.25 * one + 0.75 * two).float())
        assert found["model.text.count"].tolist() == [0, 1, 2]
        assert sorted(path.name for path in out.iterdir()) == [
            "config.json", "model.safetensors", "tokenizer.json",
        ]  # fmt: skip

    @pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
    def test_ties_of_one_model_is_that_model_to_the_bit(self, tmp_path: Path, dtype) -> None:
        base = saved(tmp_path / "base", weights(0, dtype))
        model = saved(tmp_path / "model", weights(1, dtype))
        out = merge([model], tmp_path / "out", method="ties", base=base, density=1.0)
        found = load_file(out / "model.safetensors")
        for name, tensor in weights(1, dtype).items():
            assert found[name].dtype == tensor.dtype
            assert torch.equal(found[name], tensor)

    def test_ties_without_changes_is_the_base_to_the_bit(self, tmp_path: Path) -> None:
        base = saved(tmp_path / "base", weights(0))
        out = merge([base, base], tmp_path / "out", method="ties", base=base)
        found = load_file(out / "model.safetensors")
        assert all(torch.equal(found[name], tensor) for name, tensor in weights(0).items())

    def test_a_head_that_is_tied_is_stored_once(self, tmp_path: Path) -> None:
        head = {"lm_head.weight": weights(1)["model.text.embed.weight"]}
        with_head = saved(tmp_path / "1", {**weights(1), **head}, tied=True)
        without = saved(tmp_path / "2", weights(2), tied=True)
        out = merge([with_head, without], tmp_path / "out")
        assert set(load_file(out / "model.safetensors")) == set(weights(1))

    def test_a_head_that_is_not_tied_is_no_tensor_to_drop(self, tmp_path: Path) -> None:
        head = {"lm_head.weight": weights(1)["model.text.embed.weight"]}
        with_head = saved(tmp_path / "1", {**weights(1), **head}, tied=False)
        without = saved(tmp_path / "2", weights(2), tied=False)
        with pytest.raises(InvalidOptions, match=r"not of one architecture.*lm_head\.weight"):
            merge([with_head, without], tmp_path / "out")

    def test_other_shapes_names_and_whole_numbers_are_errors(self, tmp_path: Path) -> None:
        good = saved(tmp_path / "good", weights(1))
        name = "model.visual.patch.weight"
        wide = saved(tmp_path / "wide", {**weights(2), name: torch.zeros(4, 4)})
        with pytest.raises(InvalidOptions, match=rf"{name} has the shapes \[4, 3\], \[4, 4\]"):
            merge([good, wide], tmp_path / "a")
        less = {k: v for k, v in weights(2).items() if k != name}
        with pytest.raises(InvalidOptions, match=f"the first is {name}"):
            merge([good, saved(tmp_path / "less", less)], tmp_path / "b")
        other = {**weights(2), "model.text.count": torch.arange(3) + 1}
        with pytest.raises(InvalidOptions, match="whole numbers that differ"):
            merge([good, saved(tmp_path / "other", other)], tmp_path / "c")

    def test_what_is_no_model_is_named(self, tmp_path: Path) -> None:
        good = saved(tmp_path / "good", weights(1))
        adapter = tmp_path / "adapter"
        adapter.mkdir()
        (adapter / "adapter_config.json").write_text("{}")
        for models, message in (
            ([good, adapter], "holds an adapter"),
            ([good, tmp_path], "is it a model's folder"),
            ([], "0 models"),
        ):
            with pytest.raises(InvalidOptions, match=message):
                merge(models, tmp_path / "out")
        with pytest.raises(InvalidOptions, match="needs `base`"):
            merge([good], tmp_path / "out", method="ties")
        with pytest.raises(InvalidOptions, match="must be positive"):
            merge([good], tmp_path / "out", weights=[0.0])

    def test_shards_are_read_and_written(self, tmp_path: Path) -> None:
        models = [saved(tmp_path / str(k), weights(k)) for k in (1, 2)]
        whole = merge(models, tmp_path / "whole")
        cut = merge(models, tmp_path / "cut", shard_bytes=50)
        index = orjson.loads((cut / "model.safetensors.index.json").read_bytes())
        assert len(set(index["weight_map"].values())) == 3
        assert index["metadata"]["total_size"] == 4 * (12 + 12) + 8 * 3
        again = merge([cut, cut], tmp_path / "again")
        expected = load_file(whole / "model.safetensors")
        with safe_open(again / "model.safetensors", framework="pt") as file:
            for name, tensor in expected.items():
                assert torch.equal(file.get_tensor(name), tensor)

    def test_memory_depends_on_the_shard_and_not_on_the_model(self, tmp_path: Path) -> None:
        """64 MB of weights twice, merged beside the memory of 4 MB of weights twice."""
        code = textwrap.dedent("""
            import sys
            from pathlib import Path
            from training.merge import merge
            merge([Path(sys.argv[1])] * 2, Path(sys.argv[2]), shard_bytes=2 << 20)
            status = Path("/proc/self/status").read_text()
            print(status.split("VmHWM:")[1].split()[0])
        """)
        peaks = []
        for count in (4, 64):
            tensors = {f"layer.{k}": torch.zeros(512, 512) for k in range(count)}
            model = saved(tmp_path / f"model{count}", tensors)
            command = [sys.executable, "-c", code, str(model), str(tmp_path / f"out{count}")]
            done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
            peaks.append(int(done.stdout) * 1024)
        # Mapped pages of the input may count: one model of 64 MB at most, not two and the output.
        assert peaks[1] - peaks[0] < 32 << 20, peaks
