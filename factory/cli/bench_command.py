"""``factory bench``: speed against encoding alone."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter


def bench_command(
    what: Literal["captcha", "grounding", "pages"] = "captcha",
    /,
    *,
    type: Annotated[str, Parameter(name="--type")] = "all",
    viewport: str = "1280x800",
    context: tuple[str, ...] = (),
    rounds: int = 5,
    pairs: int = 5,
    warm_up: int = 3000,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """Time classes against encoding alone, or verdicts or whole pages against screenshots alone.

    Parameters
    ----------
    what
        captcha; grounding, the verdict on pages; or pages, from composing to the shard. The last
        two take rounds and json only.
    type
        A class, a family or all.
    viewport
        WxH or WxH@DPR.
    context
        Contexts to time; by default all that the viewport has. `ratio` is the lowest.
    rounds
        Timed rounds of 250 samples, each beside a round of encoding the same canvases.
    pairs
        Interleaved pairs of runs with one and two workers; 0 leaves them out.
    warm_up
        Samples of each class before the first round: a long run has its pages in memory.
    json
        captcha: encode_only_per_s, ratio_median, classes.ID.per_s, .ratio, .contexts,
        workers_2_over_1.
        grounding: bare_pages_per_s, ratio_no_proof, ratio_proof, ratio_per_locator,
        hit_ms_per_candidate.
        pages: bare_pages_per_s, pages_per_s, ratio_no_proof, ratio_proof.
    """
    if what != "captcha":
        _against_screenshots(what, rounds, json=json)
        return
    from factory.cli.display import Echo, print_json
    from factory.config import Viewport
    from factory.core import registry
    from factory.engine.bench import bench, contexts_of

    size = Viewport.parse(viewport)
    say = Echo(json=False)
    found = bench(
        registry.resolve(type), size, list(context) or contexts_of(size),
        rounds=rounds, pairs=pairs, warm_up=warm_up, echo=say.line,
    )  # fmt: skip
    if json:
        print_json(found)
        return
    print(f"encode only {found['encode_only_per_s']}/s at {found['viewport']}")
    for name, row in found["classes"].items():
        for place, figures in row["contexts"].items():
            print(f"{name:<24}{place:<10}{figures['per_s']:>8}/s  {figures['ratio']:.2f} x")
    print(f"median over classes: {found['ratio_median']:.2f}")
    if "workers_2_over_1" in found:
        print(f"two workers over one: {found['workers_2_over_1']:.2f}")


def _against_screenshots(what: str, rounds: int, *, json: bool) -> None:
    from factory.cli.display import print_json
    from factory.engine.bench_pages import bench_pages
    from factory.web.verdict.bench import bench

    found = bench_pages(rounds) if what == "pages" else bench(rounds=rounds)
    if json:
        print_json(found)
        return
    for name, value in found.items():
        print(f"{name:<24}{value}")
