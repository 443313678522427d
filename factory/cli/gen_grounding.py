"""``factory gen grounding``: pages with verified targets and tasks about them."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from factory.cli.llm_options import LlmOptions
from factory.core.errors import InvalidOptions, UnknownType

Many = tuple[str, ...]
ALL = "scenarios"
"""In the place of a scenario: every one of them."""


def grounding(
    *,
    scenario: str = ALL,
    n: Annotated[int | None, Parameter(name=["--n", "-n"])] = None,
    out: Path | None = None,
    seed: int | None = None,
    split: str | None = None,
    lang: Many = (),
    viewport: Many = (),
    theme: Many = (),
    platform: Many = (),
    tasks: int | None = None,
    negatives: float | None = None,
    proof: bool | None = None,
    sizes: Literal["usual", "small"] | None = None,
    format: str | None = None,
    quality: int | None = None,
    prompt: Many = (),
    scenarios: Path | None = None,
    persona: Path | None = None,
    reference: Path | None = None,
    way: str = "layout",
    llm: Annotated[LlmOptions | None, Parameter(name="*")] = None,
    config: Path | None = None,
    workers: str = "auto",
    start_method: str = "",
    shard: str = "1/1",
    shard_samples: int | None = None,
    resume: Annotated[bool, Parameter(negative=())] = False,
    steal: Annotated[bool, Parameter(negative=())] = False,
    dry_run: Annotated[bool, Parameter(negative=())] = False,
    preview: int = 0,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """Generate pages of applications with verified targets, tasks and refusals.

    Parameters
    ----------
    scenario
        A scenario, or scenarios for all; `factory list --scenarios` shows them.
    n
        Pages to make (default 1000); each has up to --tasks tasks.
    out
        Folder of the run; by default runs/NAME-SPLIT-sSEED-cDIGEST.
    seed
        Root of all randomness (default 0).
    split
        train, val, test, or all for 90/5/5 (default train).
    lang
        en, zh, or ar where the scenario has it; repeat for several, en=0.8 sets a weight.
        By default 0.08 of the pages of scenarios that have ar are in it.
    viewport
        WxH or WxH@DPR; repeatable, with weights. Windows under 500 px are phones'.
    theme
        light or dark; repeatable, with weights.
    platform
        web, windows, macos, ios or android; repeatable, with weights.
    tasks
        Most tasks a page (default 12).
    negatives
        Share of tasks about what is not there (default 0.15).
    proof
        Prove by repainting that each target is seen (default); --no-proof is faster.
    sizes
        usual: targets about as large as in public benchmarks (default); small: small icons on
        wide desktops.
    format
        jpg (4:4:4, quality 90) or png (lossless).
    quality
        JPEG quality, 50..100.
    prompt
        A scenario in words that a language model writes pages for; repeatable.
    scenarios
        A file of such scenarios, a line each.
    persona
        A file of people to write for, a line each, instead of the built-in grammar.
    reference
        A screenshot whose style the pages take: colours, theme, density, bars.
    way
        layout (the model fills a plan that our grammar draws) or html (it writes whole pages).
    llm
        How the model is reached.
    config
        A TOML file with the same fields; the command line wins over it.
    workers
        Processes, each with a browser, or auto for one per core. Never changes the data.
    start_method
        fork, spawn or forkserver.
    shard
        i/n makes every n-th shard only; finish with a plain --resume.
    shard_samples
        Pages per shard, instead of the computed size.
    resume
        Complete an interrupted run.
    steal
        Take over the lock of a run whose process is gone.
    dry_run
        Say what would be made, and stop.
    preview
        Make so many pages first and write a picture of them.
    json
        Progress and result as JSON lines.
    """
    from factory.cli import gen_request
    from factory.cli.gen import make_batch
    from factory.engine.run import RunOptions

    fields: dict[str, Any] = {
        "type": scenario, "n": n, "seed": seed, "split": split, "format": format,
        "quality": quality, "shard_samples": shard_samples, "tasks": tasks,
        "negatives": negatives, "proof": proof, "sizes": sizes,
        "platforms": gen_request.weights(platform) or None,
    }  # fmt: skip
    if prompt or scenarios:
        from factory.cli import gen_llm

        asked = gen_llm.Asked(prompt, scenarios, persona, reference, way, llm or LlmOptions())
        fields |= gen_llm.fields_of(asked)
        if scenario != ALL:
            raise InvalidOptions("--scenario names pages of our own; leave it out beside --prompt")
    elif persona or reference or llm:
        raise InvalidOptions("--persona, --reference and --llm-... go with --prompt or --scenarios")
    else:
        _known(scenario)
    batch = gen_request.build(
        fields, config=config, difficulty=None, lang=lang, viewport=viewport, theme=theme,
        context=(), option=(), assets=(),
    )  # fmt: skip
    options = RunOptions(
        workers=gen_request.worker_count(workers), start_method=start_method,
        resume=resume, steal=steal, portion=gen_request.portion(shard),
    )  # fmt: skip
    make_batch(batch, out, options, dry_run=dry_run, preview=preview, json=json)


def _known(scenario: str) -> None:
    """Refuse a name that is no scenario, puzzles among them."""
    from factory.scenarios import catalog

    if scenario == ALL or scenario in catalog.apps():
        return
    near = difflib.get_close_matches(scenario, catalog.apps(), n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ";"
    raise UnknownType(
        f"there is no scenario {scenario!r}{hint} `factory list --scenarios` shows them"
    )
