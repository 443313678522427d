"""A torn run is named and shown as far as it can be read; hostile text stays text."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from changed_runs import Parts, changed_run, solved_in_two_looks
from gallery_visits import Visit, keys_of
from runs import PER_SHARD, N

from factory.core.errors import InvalidOptions, RunExists, VerificationFailed
from factory.core.record import FlatRecord, Record
from factory.gallery.export import ExportOptions, export
from factory.gallery.remake import Remake
from factory.gallery.run_folder import RunFolder

HOSTILE = "<script>window.taken = 1</script><img src=x onerror='window.taken = 1'>\u2028</pre>"

QUICK = ExportOptions(film=False)


def _cut_inside_a_picture(run: Path) -> str:
    shard = sorted((run / "train").iterdir())[1]
    shard.write_bytes(shard.read_bytes()[: shard.stat().st_size // 2])
    return shard.name


def _lose_a_shard(run: Path) -> str:
    shard = sorted((run / "train").iterdir())[1]
    shard.unlink()
    return shard.name


def _never_finish(run: Path) -> str:
    for name in ("manifest.json", "manifest.parquet", "config.toml", "stats.json"):
        (run / name).unlink()
    return "not complete"


def _lose_the_table(run: Path) -> str:
    (run / "manifest.parquet").write_bytes(b"PAR1 or not")
    return "manifest.parquet cannot be read"


def _break_the_manifest(run: Path) -> str:
    (run / "manifest.json").write_bytes(b"{")
    return "manifest.json is not JSON"


HARMS: dict[str, tuple[Callable[[Path], str], int]] = {
    "a shard is cut": (_cut_inside_a_picture, N - PER_SHARD),
    "a shard is lost": (_lose_a_shard, N - PER_SHARD),
    "the run never ended": (_never_finish, N),
    "the table is damaged": (_lose_the_table, N),
    "the manifest is damaged": (_break_the_manifest, N),
}
"""Each harm, and how many samples can still be read at least."""


@pytest.mark.parametrize("name", HARMS)
def test_torn_run_is_named_and_shown(
    visit: Visit, small_run: Path, tmp_path: Path, name: str
) -> None:
    run, out = tmp_path / "run", tmp_path / "out"
    shutil.copytree(small_run, run)
    harm, least = HARMS[name]
    told = harm(run)
    facts = export(run, out, QUICK)
    assert facts["warnings"] >= 1
    assert facts["samples"] >= least
    with visit(out, "index.html") as page:
        banner = page.get_by_role("region", name="Warnings").inner_text()
        assert told in banner
        assert "None" not in banner
    with visit(out, f"s/{keys_of(out)[-1]}.html") as page:
        assert page.evaluate("[...document.images].every(i => i.naturalWidth > 0)")


def test_sound_run_has_no_banner(visit: Visit, gallery: Path) -> None:
    with visit(gallery, "index.html") as page:
        assert page.locator(".banner:not(noscript .banner)").count() == 0
        assert "Complete." in page.locator(".state").inner_text()


def test_nothing_is_written_into_the_run(small_run: Path, gallery: Path, tmp_path: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in small_run.rglob("*")}
    export(small_run, tmp_path / "out", QUICK)
    assert {path: path.stat().st_mtime_ns for path in small_run.rglob("*")} == before


def _with_hostile_text(
    flat: FlatRecord, record: Record, parts: Parts
) -> tuple[FlatRecord, Record, Parts]:
    task = msgspec.structs.replace(record.tasks[0], goal=HOSTILE, system=HOSTILE)
    record = msgspec.structs.replace(record, tasks=(task,), theme=HOSTILE, tags=(HOSTILE,))
    return msgspec.structs.replace(flat, prompt=HOSTILE), record, parts


def test_hostile_text_of_a_record_stays_text(visit: Visit, small_run: Path, tmp_path: Path) -> None:
    run = changed_run(small_run, tmp_path / "run", _with_hostile_text)
    export(run, tmp_path / "out", QUICK)
    address = f"s/{keys_of(tmp_path / 'out')[0]}.html"
    for name in ("samples.html", "stats.html", "catalog.html", address):
        with visit(tmp_path / "out", name) as page:
            assert page.evaluate("window.taken") is None
            assert "<script>window" in (page.locator("main").text_content() or "")


def test_several_observations_are_a_sequence(visit: Visit, small_run: Path, tmp_path: Path) -> None:
    run = changed_run(small_run, tmp_path / "run", solved_in_two_looks)
    export(run, tmp_path / "out", QUICK)
    with visit(tmp_path / "out", f"s/{keys_of(tmp_path / 'out')[0]}.html") as page:
        looks = page.locator(".sequence figure")
        assert looks.count() == 2
        assert looks.nth(1).locator(".over .l-path").count() > 0
        assert "Observation 2 of 2" in looks.nth(1).inner_text()
        assert page.locator(".acts tbody tr").count() == 2


def test_strip_of_another_sample_is_refused(small_run: Path) -> None:
    """Where code made another sample of the key, its states would be shown as this one's."""
    run = RunFolder.open(small_run)
    remake = Remake(run)
    first, second = (record for record, _ in zip(_records(run), range(2), strict=False))
    assert remake.again(first).frames
    with pytest.raises(VerificationFailed, match="another sample"):
        remake.again(msgspec.structs.replace(first, fingerprint=second.fingerprint))


def _records(run: RunFolder) -> list[Record]:
    from factory.gallery.shown import Shown

    return [Shown.read(run, row).record for row in run.rows()]


def test_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidOptions, match="is not a folder"):
        export(tmp_path / "nowhere", tmp_path / "out", QUICK)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InvalidOptions, match="is not a run"):
        export(tmp_path / "empty", tmp_path / "out", QUICK)
    assert not (tmp_path / "out").exists()


def test_used_folder_is_refused_and_only_a_gallery_replaced(
    small_run: Path, tmp_path: Path
) -> None:
    out, few = tmp_path / "out", ExportOptions(n=2, film=False)
    out.mkdir()
    (out / "precious").write_text("mine")
    with pytest.raises(RunExists, match="no gallery"):
        export(small_run, out, ExportOptions(n=2, force=True))
    assert (out / "precious").read_text() == "mine"
    (out / "precious").unlink()
    assert export(small_run, out, few)["samples"] == 2
    with pytest.raises(RunExists, match="--force"):
        export(small_run, out, few)
    assert export(small_run, out, ExportOptions(n=3, film=False, force=True))["samples"] == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out"]


def test_gallery_in_its_run_is_refused(small_run: Path) -> None:
    for out in (small_run, small_run / "gallery", small_run.parent):
        with pytest.raises(InvalidOptions, match="lie in each other"):
            export(small_run, out, QUICK)
