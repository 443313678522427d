"""``factory gen captcha``, the main command, and ``factory gen mix``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from factory.core.errors import UnknownType

if TYPE_CHECKING:
    from factory.engine.batch import Batch
    from factory.engine.run import RunOptions

Many = tuple[str, ...]


def captcha(
    *,
    type: Annotated[str, Parameter(name="--type")] = "",
    n: Annotated[int | None, Parameter(name=["--n", "-n"])] = None,
    out: Path | None = None,
    seed: int | None = None,
    split: str | None = None,
    difficulty: str | None = None,
    lang: Many = (),
    viewport: Many = (),
    theme: Many = (),
    context: Many = (),
    format: str | None = None,
    quality: int | None = None,
    option: Many = (),
    assets: Many = (),
    config: Path | None = None,
    workers: str = "auto",
    start_method: str = "",
    shard: str = "1/1",
    shard_samples: int | None = None,
    resume: Annotated[bool, Parameter(negative=())] = False,
    steal: Annotated[bool, Parameter(negative=())] = False,
    allow_repeats: Annotated[bool, Parameter(negative=())] = False,
    keep_rejected: Annotated[bool, Parameter(negative=())] = False,
    dry_run: Annotated[bool, Parameter(negative=())] = False,
    preview: int = 0,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """Generate CAPTCHA puzzles as verified shards.

    Parameters
    ----------
    type
        A class, a family or all; `factory list` shows them.
    n
        Samples to make (default 1000).
    out
        Folder of the run; by default runs/NAME-SPLIT-sSEED-cDIGEST.
    seed
        Root of all randomness (default 0).
    split
        train, val, test, or all for 90/5/5 (default train).
    difficulty
        One number in 0..1, or a range such as 0.3-0.7 (default 0-1).
    lang
        en or zh; repeat for several, en=0.8 sets a weight.
    viewport
        WxH or WxH@DPR, such as 1280x800 or 375x812@2; repeatable, with weights.
    theme
        light or dark; repeatable, with weights.
    context
        embedded, modal, dialog, sheet or full; repeatable.
    format
        jpg (4:4:4, quality 90) or png (lossless).
    quality
        JPEG quality, 50..100.
    option
        A knob of the class as name=value; repeatable.
    assets
        A folder of your own photographs; repeatable.
    config
        A TOML file with the same fields; the command line wins over it.
    workers
        Processes, or auto for one per core. Never changes the data.
    start_method
        fork, spawn or forkserver.
    shard
        i/n makes every n-th shard only, for schedulers, one portion at a time in a folder;
        finish with a plain --resume.
    shard_samples
        Samples per shard, instead of the computed size.
    resume
        Complete an interrupted run.
    steal
        Take over the lock of a run whose process is gone.
    allow_repeats
        Go beyond the distinct contents a class holds.
    keep_rejected
        Write rejected draws with their reasons to rejected.parquet.
    dry_run
        Say what would be made, and stop.
    preview
        Make so many samples first and write a picture of them.
    json
        Progress and result as JSON lines.
    """
    from factory.cli import gen_request
    from factory.engine.run import RunOptions
    from factory.scenarios import catalog

    if type == "scenarios" or type in catalog.apps():
        raise UnknownType(
            f"{type} is no puzzle: `factory gen grounding --scenario {type}` makes it"
        )
    fields: dict[str, Any] = {
        "type": type or None, "n": n, "seed": seed, "split": split, "format": format,
        "quality": quality, "shard_samples": shard_samples, "allow_repeats": allow_repeats or None,
        "keep_rejected": keep_rejected or None,
    }  # fmt: skip
    request = gen_request.build(
        fields, config=config, difficulty=difficulty, lang=lang, viewport=viewport, theme=theme,
        context=context, option=option, assets=assets,
    )  # fmt: skip
    options = RunOptions(
        workers=gen_request.worker_count(workers), start_method=start_method,
        resume=resume, steal=steal, portion=gen_request.portion(shard),
    )  # fmt: skip
    make_batch(request, out, options, dry_run=dry_run, preview=preview, json=json)


def mix(
    config: Path,
    /,
    *,
    n: Annotated[int | None, Parameter(name=["--n", "-n"])] = None,
    seed: int | None = None,
    split: str | None = None,
    out: Path | None = None,
    workers: str = "auto",
    start_method: str = "",
    shard: str = "1/1",
    resume: Annotated[bool, Parameter(negative=())] = False,
    steal: Annotated[bool, Parameter(negative=())] = False,
    dry_run: Annotated[bool, Parameter(negative=())] = False,
    preview: int = 0,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """Generate several classes into one run, by the weights of a file.

    Parameters
    ----------
    config
        A TOML file: fields as in a run's config.toml, a table [classes] of weights
        (class ids, families or all), tables [class.ID] of what a class has otherwise.
    n
        Samples in all; wins over the file.
    seed
        Root of all randomness; wins over the file.
    split
        train, val, test, or all for 90/5/5; wins over the file.
    out
        Folder of the run; by default runs/mix-SPLIT-sSEED-cDIGEST.
    workers
        Processes, or auto for one per core. Never changes the data.
    start_method
        fork, spawn or forkserver.
    shard
        i/n makes every n-th shard only; finish with a plain --resume.
    resume
        Complete an interrupted run.
    steal
        Take over the lock of a run whose process is gone.
    dry_run
        Say what would be made, and stop.
    preview
        Make so many samples first and write a picture of them.
    json
        Progress and result as JSON lines.
    """
    from factory.cli import gen_request
    from factory.config import read_toml
    from factory.engine.batch import mix_of
    from factory.engine.run import RunOptions

    given = {"n": n, "seed": seed, "split": split}
    values = read_toml(config) | {name: v for name, v in given.items() if v is not None}
    options = RunOptions(
        workers=gen_request.worker_count(workers), start_method=start_method,
        resume=resume, steal=steal, portion=gen_request.portion(shard),
    )  # fmt: skip
    make_batch(mix_of(values), out, options, dry_run=dry_run, preview=preview, json=json)


def make_batch(
    batch: Batch, out: Path | None, options: RunOptions, *, dry_run: bool, preview: int, json: bool
) -> None:
    """Complete a batch, make it and say what came of it."""
    from factory.cli import display, gen_request
    from factory.engine.generate import complete_batch, default_out, generate
    from factory.engine.run import check_holes

    say = display.Echo(json=json)
    batch = complete_batch(batch, say.line)
    out = out or default_out(batch)
    if dry_run:
        say.result(gen_request.dry_run(batch, out))
        return
    if preview:
        say.line(f"preview: {gen_request.write_preview(batch, out, preview)}")
    with display.progress(json=json) as report:
        manifest = generate(batch, out, options, report)
    say.result(gen_request.summary(manifest, out))
    check_holes(len(manifest.get("holes", ())), batch.n)
