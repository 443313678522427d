"""``factory new``: a class that works, to be made into another."""

from __future__ import annotations

import keyword
import re
from pathlib import Path
from string import Template

SCAFFOLD = Path(__file__).with_name("scaffold")

_NAME = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")


def new_command(path: str, /, *, into: Path = Path()) -> None:
    """Write a new CAPTCHA class that passes the contract suite, to be edited into your own.

    Parameters
    ----------
    path
        FAMILY/NAME, for example tiles/odd_dot.
    into
        A checkout of this project, or a folder for a package of your own classes, which is
        made where there is none (default: the current folder).
    """
    from factory.core import registry
    from factory.core.errors import InvalidOptions, RunExists

    family, slash, name = path.partition("/")
    bad = [part for part in (family, name) if not _NAME.fullmatch(part) or keyword.iskeyword(part)]
    if not slash or bad:
        raise InvalidOptions(f"{path!r} is not FAMILY/NAME in lower case, such as tiles/odd_dot")
    if name in registry.names():
        raise InvalidOptions(f"there is a class '{name}' already; choose another name")
    checkout = (into / "captcha_types").is_dir() and (into / "tests" / "solvers").is_dir()
    root = into / "captcha_types" if checkout else into / _package(into)
    judges = into / "tests" / "solvers" if checkout else into / "checks" / "solvers"
    files = {
        root / family / f"{name}.py": "class.py.txt",
        root / family / f"{name}.toml": "wording.toml.txt",
        judges / f"{name}.py": "judge.py.txt",
    }
    clash = [str(file) for file in files if file.exists()]
    if clash:
        raise RunExists(f"{', '.join(clash)} would be overwritten; choose another name")
    words = {
        "name": name,
        "Name": "".join(part.title() for part in name.split("_")),
        "family": family,
        "package": root.name,
        "dist": root.name.replace("_", "-"),
    }
    if not checkout and not (into / "pyproject.toml").exists():
        files[into / "pyproject.toml"] = "pyproject.toml.txt"
    for package in (root, root / family):
        if not (package / "__init__.py").exists():
            _write(package / "__init__.py", f'"""CAPTCHA classes: {package.name}."""\n')
    for file, template in files.items():
        text = (SCAFFOLD / template).read_text(encoding="utf-8")
        _write(file, Template(text).substitute(words))
        print(f"wrote {file}")
    tests = "" if checkout else f" --tests {into / 'checks'}"
    if not checkout:
        print(f"next: pip install -e {into}")
    print(f"next: factory check {name} --update-golden{tests}")


def _package(into: Path) -> str:
    """The name of the package in a folder: the one it has, or its own name made importable."""
    found = sorted(
        path.parent.name
        for path in into.glob("*/__init__.py")
        if path.parent.name not in ("checks", "tests")
    )
    if found:
        return found[0]
    word = re.sub(r"[^a-z0-9]+", "_", into.resolve().name.lower()).strip("_")
    return word if word and not word[0].isdigit() else f"captchas_{word}".strip("_")


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
