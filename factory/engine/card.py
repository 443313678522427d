"""The card of a run (``README.md``) and the licences of what it shows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from exporters.shards import shard_name
from factory import __version__
from factory.draw import assets, glyphs
from factory.draw.tokens import FONTS
from factory.engine.batch import Batch, groups_of
from factory.scenarios import kits
from factory.scene_config import SceneConfig

SOURCES = {
    "@lobehub/fluent-emoji-3d": "MIT",
    "lucide-static": "ISC",
    "@expo-google-fonts/noto-sans-sc": "OFL-1.1",
    "fontpkg-*": "OFL-1.1",
    "scikit-image": "BSD-3-Clause",
    "scikit-learn": "BSD-3-Clause",
    **glyphs.LICENCES,
}
"""Packages whose pictures, icons or fonts can be seen in a run, with their licences."""

NPM_PACKAGES = tuple(name for name in SOURCES if name.startswith(("@", "lucide")))

LICENCE_FILE = re.compile(r"(?i)(licen[cs]e|copying|ofl)")

MIT_OF_EMOJI = """\
MIT License

Copyright (c) Microsoft Corporation (Fluent Emoji); packaged by LobeHub

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
"""

CARD = """\
---
license: apache-2.0
task_categories: [image-text-to-text, reinforcement-learning]
tags: [synthetic, gui-agents, captcha]
configs:
{files}
---
# {title}

{samples} synthetic puzzles of {what}, made by gui-data-factory {version}.

**Use**: training and evaluating GUI agents, and research on their safety.
**Excluded**: anything aimed at a live service. No provider's name, logo or look is in these
pictures, and nothing here talks to a network.

**Made by** sampling a latent state, proving it solvable in one way, drawing it, and measuring
the encoded picture. `{replay}` re-derives any sample.

| | |
|---|---|
| seed | {seed} |
| config digest | {digest} |
| splits | {split} |
| canvas | {canvas} |
| languages | {lang} |
| pictures | {picture} |
| attempts p50, p99 | {p50}, {p99} |
| duplicates | {duplicates} |
| holes | {holes} |

Splits share no picture assets: each asset belongs to one split by the hash of its name.

**Licences** of what the pictures show: {licences}. Texts are in `LICENSES/`.
"""


def data_files(batch: Batch) -> Iterator[str]:
    """A config of the data viewer for each shard group: their parts differ."""
    found = {
        (group, split)
        for config in batch.configs
        for split, n in config.split_sizes().items()
        for group in groups_of(config)[:n]
    }
    for group in sorted({group for group, _ in found}):
        yield f"- config_name: {group or 'default'}\n  data_files:"
        for split in batch.splits():
            if (group, split) in found:
                folder = Path(shard_name(split, group, "", 0)).parent
                yield f"  - split: {split}\n    path: {folder}/*.tar"


def card_text(
    batch: Batch, classes: Mapping[str, Mapping[str, Any]], facts: Mapping[str, Any]
) -> str:
    """The card; a function of configs and counts, so it is the same for the same run."""
    files = "\n".join(data_files(batch))
    generators = [f"`{one['generator']}` ({one['samples']})" for one in classes.values()]
    what = f"{len(classes)} classes: " if len(classes) > 1 else "class "
    return CARD.format(
        files=files,
        title=f"{batch.name} s{batch.first.seed}",
        samples=facts["samples"],
        what=what + ", ".join(generators),
        version=__version__,
        replay="factory show KEY --run .",
        seed=batch.first.seed,
        digest=batch.digest,
        split=_counts(facts["split"]),
        canvas=_counts(facts["canvas"]),
        lang=_counts(facts["lang"]),
        picture=_counts(facts["picture"]),
        p50=facts["attempts_p50"],
        p99=facts["attempts_p99"],
        duplicates=facts["duplicates"],
        holes=facts["holes"],
        licences=", ".join(f"{name} ({licence})" for name, licence in sources_of(batch).items()),
    )


def _counts(values: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in values.items())


def sources_of(batch: Batch) -> dict[str, str]:
    """Packages that can be seen in a run, with their licences."""
    pages = any(isinstance(config, SceneConfig) for config in batch.configs)
    return SOURCES | (kits.licences() if pages else {})


def licence_texts(batch: Batch) -> dict[str, str]:
    """``{file name: text}``: the licences of the installed packages that a run shows."""
    sources = sources_of(batch)
    texts = {
        "SOURCES.txt": "\n".join(f"{name}: {licence}" for name, licence in sources.items()) + "\n",
        # The package of the 3-D emoji ships no licence file of its own.
        "lobehub_fluent-emoji-3d.txt": MIT_OF_EMOJI,
    }
    fonts = [font.package.replace("_", "-") for font in FONTS.values()]
    for name in ("scikit-image", "scikit-learn", *fonts):
        try:
            files = distribution(name).files or []
        except PackageNotFoundError:
            continue
        found = next((f for f in files if LICENCE_FILE.match(f.name)), None)
        if found is not None:
            texts[f"{name}.txt"] = found.read_text(encoding="utf-8")
    folders = {name: assets.npm_package(name) for name in NPM_PACKAGES}
    for name in sources.keys() - SOURCES.keys():
        folders[name] = assets.npm_package(name, "scenarios")
    for name, folder in folders.items():
        for path in sorted(folder.iterdir()):
            if LICENCE_FILE.match(path.name):
                file = name.replace("/", "_").lstrip("@") + ".txt"
                texts[file] = path.read_text(encoding="utf-8")
    return texts
