"""What a training stage is told: TOML files, checked whole before anything starts.

Each stage has a model of its own (``SftConfig`` ... ``EvalConfig``) made of shared parts. A
field that does not exist is refused by name. Defaults that no source gives a number for are
ours and marked (n/s); the sources are named in ``docs/training.md``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Self, TypeVar, cast

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from factory.config import faults, read_toml
from factory.core.errors import InvalidOptions

TaskKind = Literal["captcha", "grounding", "answer", "action"]
TASK_KINDS: tuple[TaskKind, ...] = ("captcha", "grounding", "answer", "action")


class Part(BaseModel):
    """Frozen, and no field beyond those that are named."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)


class LoraPart(Part):
    """Low-rank adapters in place of full weights; they are merged when the model is saved."""

    rank: int = Field(default=16, ge=1)
    alpha: float = Field(default=32.0, gt=0)
    dropout: float = Field(default=0.0, ge=0, lt=1)
    targets: str | tuple[str, ...] = "all-linear"


class ModelConfig(Part):
    """A model: a hub name, a folder, the run folder of an earlier stage, or ``tiny:NAME``.

    Pictures are scaled to at most ``max_pixels``, for processors that know such a bound.
    """

    name: str
    lora: LoraPart | None = None
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = "float32"
    max_pixels: int | None = Field(default=None, ge=784)
    freeze_vision: bool = False
    gradient_checkpointing: bool = False


class SourceConfig(Part):
    """One run of the factory, or a portion of it, and the domain that it stands for.

    Without a ``domain`` the records' family is theirs. ``weight`` is the source's share in a
    mixture, beside those of the others; 0 is not a share.
    """

    run: Path
    domain: str = ""
    split: Literal["train", "val", "test"] = "train"
    families: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    kinds: tuple[TaskKind, ...] = ()
    weight: float = Field(default=1.0, gt=0, lt=1e9)


class DataConfig(Part):
    """The sources and how their records become examples.

    ``episodes``: an episode is one example that is answered at once (``whole``), or one example
    a step with the ``history`` pictures before it (``steps``). ``packing`` is the length in
    tokens up to which examples share a row; 0 gives each a row of its own.
    """

    sources: tuple[SourceConfig, ...] = Field(min_length=1)
    episodes: Literal["whole", "steps"] = "whole"
    history: int = Field(default=2, ge=0, le=16)
    thinking: bool = True
    prompt: Literal["full", "short"] = "full"
    crop: Literal["canvas", "panel"] = "canvas"
    shuffle: int = Field(default=256, ge=1, le=100_000)
    packing: int = Field(default=0, ge=0)


class OptimConfig(Part):
    """The optimiser: AdamW. ``batch`` is examples a process and forward pass.

    With ``epochs`` the steps are counted from the manifests: so many passes over the samples.
    """

    lr: float = Field(default=1e-5, gt=0, lt=1)
    steps: int = Field(default=1000, ge=1)
    epochs: float | None = Field(default=None, gt=0)
    warmup: int = Field(default=10, ge=0)
    schedule: Literal["constant", "linear", "cosine"] = "constant"
    batch: int = Field(default=4, ge=1)
    accumulation: int = Field(default=1, ge=1)
    clip: float = Field(default=1.0, gt=0)
    weight_decay: float = Field(default=0.0, ge=0)
    seed: int = Field(default=0, ge=0, lt=2**31)
    save_every: int = Field(default=200, ge=1)
    keep: int = Field(default=2, ge=1)
    log_every: int = Field(default=10, ge=1)


class SampleConfig(Part):
    """How responses are sampled from the policy; ``temperature`` 0 takes the likeliest token."""

    temperature: float = Field(default=1.0, ge=0, le=5)
    top_p: float = Field(default=1.0, gt=0, le=1)
    max_new_tokens: int = Field(default=256, ge=1)


class RewardConfig(Part):
    """Weights of ``factory.core.reward``; ``dense`` is GUI-G2's point reward (all n/s)."""

    dense: bool = False
    per_slot: bool = False
    grounding: tuple[float, float] = (0.1, 0.9)
    action: tuple[float, float] = (0.1, 0.9)
    captcha: tuple[float, float, float] = (0.1, 0.3, 0.6)


class StageConfig(Part):
    """What every stage that trains has."""

    out: Path
    model: ModelConfig
    data: DataConfig
    optim: OptimConfig = OptimConfig()
    report_to: tuple[Literal["tensorboard", "wandb"], ...] = ()


class SftConfig(StageConfig):
    """Mid-training and supervised fine-tuning.

    With ``data.packing`` each pass is one row of as many examples as it holds: ``optim.batch`` is
    1, and the number of steps is given, since it depends on lengths.
    """

    @model_validator(mode="after")
    def _rows_are_packed_one_a_pass(self) -> Self:
        if self.data.packing and (self.optim.batch != 1 or self.optim.epochs is not None):
            raise ValueError(
                "with data.packing each pass is one row: optim.batch must be 1, and optim.steps "
                "is given in place of optim.epochs"
            )
        return self


class RolloutConfig(StageConfig):
    """What the stages have that sample answers from the policy, ``group`` of them a prompt.

    ``optim.batch`` counts answers; those of ``optim.accumulation`` passes are sampled at once and
    used for ``iterations`` steps.
    """

    iterations: int = Field(default=1, ge=1)
    sample: SampleConfig = SampleConfig()
    reward: RewardConfig = RewardConfig()
    group: int = Field(default=8, ge=1)

    @model_validator(mode="after")
    def _answers_are_sampled(self) -> Self:
        if self.data.packing:
            raise ValueError("data.packing is of the supervised stage; answers are sampled in rows")
        if self.sample.temperature == 0:
            raise ValueError("sample.temperature 0 gives one answer again and again")
        answers = self.optim.batch * self.optim.accumulation
        if answers % max(2, self.group):
            raise ValueError(
                f"optim.batch x optim.accumulation = {answers} answers a process and step must be "
                f"a multiple of {max(2, self.group)}, the group"
            )
        return self


class RlConfig(RolloutConfig):
    """Offline RL: GRPO on sampled responses, one domain after the other (n/s)."""

    group: int = Field(default=8, ge=2)
    beta: float = Field(default=0.0, ge=0)
    epsilon: float = Field(default=0.2, gt=0, lt=1)
    scale_rewards: Literal["group", "batch", "none"] = "group"
    use_vllm: bool = False


class MopdConfig(RolloutConfig):
    """On-policy distillation from the teachers of the domains, ``{domain: model}``.

    ``hint = false`` and ``structure = false`` are the ablations; both together are plain
    on-policy distillation. ``normaliser`` weighs rows equally, or tokens.
    """

    teachers: dict[str, str] = Field(min_length=1)
    lam_correct: float = Field(default=0.0, ge=0)
    lam_type: float = Field(default=2.0, ge=0)
    lam_span: float = Field(default=2.0, ge=0)
    lam_think: float = Field(default=1.0, ge=0)
    hint: bool = True
    structure: bool = True
    window: tuple[float, float] = (0.5, 2.0)
    advantage_clip: float = Field(default=5.0, gt=0)
    outcome_alpha: float = Field(default=0.0, ge=0)
    normaliser: Literal["sequence", "token"] = "sequence"
    group: int = Field(default=1, ge=1)
    offload: bool = True

    @model_validator(mode="after")
    def _window_holds_one(self) -> Self:
        low, high = self.window
        if not 0 <= low <= 1 <= high:
            raise ValueError(f"window {low}..{high} must hold 1, the ratio of a sample on policy")
        return self

    @model_validator(mode="after")
    def _outcome_has_groups(self) -> Self:
        if self.outcome_alpha and self.group < 2:
            raise ValueError("outcome_alpha compares answers to one prompt: group must be >= 2")
        return self


class MergeConfig(Part):
    """Models into one; ``weights`` default to equal parts, ``base`` is what TIES departs from."""

    out: Path
    method: Literal["linear", "ties"] = "linear"
    models: tuple[str, ...] = Field(min_length=1)
    weights: tuple[float, ...] = ()
    base: str = ""
    density: float = Field(default=0.5, gt=0, le=1)
    scale: float = Field(default=1.0, gt=0)

    @model_validator(mode="after")
    def _parts_fit(self) -> Self:
        if self.weights and len(self.weights) != len(self.models):
            raise ValueError(f"{len(self.weights)} weights for {len(self.models)} models")
        if self.method == "ties" and not self.base:
            raise ValueError("ties needs `base`, the model that the others were trained from")
        return self


class EndpointConfig(Part):
    """A vision endpoint that speaks OpenAI's chat protocol; the key stands in ``key_env``."""

    url: str
    model: str
    key_env: str = "OPENAI_API_KEY"
    timeout_s: float = Field(default=120.0, gt=0)
    retries: int = Field(default=3, ge=0)
    parallel: int = Field(default=8, ge=1)


class BenchmarkConfig(Part):
    """A file in the format of a published benchmark, and the folder of its pictures."""

    format: Literal["screenspot", "venusbench-captcha"]
    file: Path
    images: Path


class EvalConfig(Part):
    """What is evaluated (a model or an endpoint) on what (sources of runs, or a benchmark).

    ``per_class`` is the most examples of one class and source.
    """

    out: Path
    model: ModelConfig | None = None
    endpoint: EndpointConfig | None = None
    data: DataConfig | None = None
    benchmark: BenchmarkConfig | None = None
    per_class: int | None = Field(default=None, ge=1)
    batch: int = Field(default=8, ge=1)
    seed: int = Field(default=0, ge=0, lt=2**31)
    sample: SampleConfig = SampleConfig(temperature=0.0)

    @model_validator(mode="after")
    def _one_of_each(self) -> Self:
        if (self.model is None) == (self.endpoint is None):
            raise ValueError("one of `model` and `endpoint` says what answers")
        if (self.data is None) == (self.benchmark is None):
            raise ValueError("one of `data` and `benchmark` says what is asked")
        return self


class ExportConfig(Part):
    """Files for another trainer; ``model`` is what its launch script trains.

    ``per_class`` is the most examples of one class and source. verl is a trainer for RL alone.
    """

    out: Path
    to: Literal["ms-swift", "verl"]
    stage: Literal["sft", "rl"] = "rl"
    model: str
    data: DataConfig
    reward: RewardConfig = RewardConfig()
    per_class: int | None = Field(default=None, ge=1)

    @model_validator(mode="after")
    def _stage_is_one_of_the_trainers(self) -> Self:
        if self.to == "verl" and self.stage != "rl":
            raise ValueError("verl is written for stage rl; ms-swift for sft too")
        return self


C = TypeVar("C", bound=Part)


def load_config(kind: type[C], path: Path, changes: Sequence[str] = ()) -> C:
    """A TOML file with ``a.b=c`` changes, checked; ``InvalidOptions`` with every fault."""
    values = read_toml(path)
    for change in changes:
        apply_change(values, change)
    return build_config(kind, values, where=str(path))


def build_config(kind: type[C], values: Mapping[str, Any], *, where: str = "") -> C:
    """Validate; ``InvalidOptions`` with one line that names every fault."""
    try:
        return kind(**values)
    except ValidationError as error:
        named = f"{where}: " if where else ""
        raise InvalidOptions(f"{named}the stage cannot start: {faults(error)}") from error


def apply_change(values: dict[str, Any], change: str) -> None:
    """Set ``a.b=c`` in place; ``c`` is TOML (``3``, ``true``, ``[1, 2]``) or else a text.

    Entries of lists are named by number. ``InvalidOptions`` when it is not of that form.
    """
    path, equals, text = change.partition("=")
    names = path.strip().split(".")
    if not equals or not all(names):
        raise InvalidOptions(f"--set {change!r} is not like optim.lr=1e-4")
    target: Any = values
    for name in names[:-1]:
        target = _inside(target, name, change)
    _place(target, names[-1], _value(text.strip()), change)


def _inside(target: Any, name: str, change: str) -> Any:
    if isinstance(target, dict):
        return cast("dict[str, Any]", target).setdefault(name, {})
    if isinstance(target, list) and name.isdigit() and int(name) < len(target):
        return target[int(name)]
    raise InvalidOptions(f"--set {change!r}: there is nothing named {name}")


def _place(target: Any, name: str, value: Any, change: str) -> None:
    if isinstance(target, dict):
        target[name] = value
    elif isinstance(target, list) and name.isdigit() and int(name) < len(target):
        target[int(name)] = value
    else:
        raise InvalidOptions(f"--set {change!r}: there is nothing named {name}")


def _value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def resolved(config: Part) -> bytes:
    """The config with its defaults as JSON, in a fixed order: what a run folder keeps."""
    options = orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2
    return orjson.dumps(config.model_dump(mode="json"), option=options) + b"\n"
