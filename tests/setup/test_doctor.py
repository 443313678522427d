"""`factory doctor` names each fault it knows, with the line that mends it."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from factory import doctor
from factory.setup.browser import Trial
from factory.setup.commands import Outcome

ROOT = Path(doctor.__file__).resolve().parent.parent


def _startup_clash(pythonpath: str, cwd: Path) -> str:
    code = "from factory.clash import startup_clash; print(startup_clash())"
    environment = {**os.environ, "PYTHONPATH": pythonpath}
    return subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        cwd=cwd,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()


def test_no_clash_in_a_sound_installation(tmp_path: Path) -> None:
    assert _startup_clash(str(ROOT), tmp_path) == ""


@pytest.mark.parametrize("package", ["templates", "exporters"])
def test_package_that_hides_ours_is_named_at_the_start(tmp_path: Path, package: str) -> None:
    (tmp_path / package).mkdir()
    (tmp_path / package / "__init__.py").touch()
    clash = _startup_clash(f"{tmp_path}{os.pathsep}{ROOT}", tmp_path)
    assert f"`{package}`" in clash
    assert str(tmp_path) in clash


def test_two_builds_of_opencv_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    both = {"opencv-python": "4.12", "opencv-python-headless": "4.12"}
    monkeypatch.setattr(doctor, "_version", lambda name: both.get(name, ""))
    [finding] = doctor.check_opencv()
    assert finding.level == "error"
    assert "uninstall -y opencv-python opencv-python-headless" in finding.fix


def test_another_distribution_with_our_package_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    owners = {"factory": [doctor.DISTRIBUTION, "some-other-factory"]}
    monkeypatch.setattr(metadata, "packages_distributions", lambda: owners)
    monkeypatch.setattr(doctor, "startup_clash", lambda: "")
    [finding] = doctor.check_names()
    assert "some-other-factory" in finding.message
    assert "uninstall -y some-other-factory" in finding.fix


def test_missing_library_comes_with_its_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_version", lambda name: "" if name == "pyarrow" else "1")
    assert any(finding.fix.endswith("pip install pyarrow") for finding in doctor.check_libraries())


def test_missing_system_library_comes_with_its_install_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    broken = Outcome(1, "ImportError: libEGL.so.1: cannot open shared object file")
    monkeypatch.setattr(doctor, "import_skia", lambda: broken)
    [finding] = doctor.check_skia()
    assert (finding.level, "libegl1" in finding.fix) == ("error", True)


def test_empty_home_sends_the_user_to_setup(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("FACTORY_HOME", str(tmp_path))
    monkeypatch.setattr(doctor, "try_browser", lambda: Trial(problem="no Chromium"))
    findings = [
        *doctor.check_assets(),
        *doctor.check_fonts(),
        *doctor.check_browser(),
        *doctor.check_bank(),
    ]
    assert [(finding.name, finding.fix) for finding in findings] == [
        ("assets", "factory setup"),
        ("scenarios", "factory setup"),
        ("fonts", "factory setup"),
        ("browser", "factory setup"),
        ("bank", "factory setup --backdrops 200"),
    ]


def test_every_check_reports_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "try_browser", lambda: Trial(version="1"))
    names = {finding.name for finding in doctor.diagnose()}
    assert {"python", "libraries", "skia", "assets", "browser", "disk", "processor"} <= names
