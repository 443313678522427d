"""What is asked has one answer, what is refused has none, and a refusal is one edit from a task."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from second_reading import loose, strict
from tiny_apps import MAIL, SHOP, control, inbox, tables

from factory.core.rng import Stream
from factory.scenarios.query import CLAUSES, Query, none, only
from factory.scenarios.table import Table
from factory.scenarios.task_spec import TaskSpec
from factory.scenarios.tasks import tasks_of

LANGS = st.sampled_from(["en", "zh"])
RUNS = settings(max_examples=60)


def tasks(
    table: Table, lang: str = "en", name: str = "s", share: float = 0.5
) -> tuple[TaskSpec, ...]:
    return tasks_of(table, MAIL, Stream(name), lang, 12, share, others=[SHOP])


def query_of(task: TaskSpec) -> Query:
    return msgspec.convert(task.query, Query)


@RUNS
@given(tables(), LANGS)
def test_every_positive_has_exactly_one_solution(table: Table, lang: str) -> None:
    for task in (t for t in tasks(table, lang, share=0.1) if t.kind == "ground"):
        meant = only(query_of(task), table)
        assert meant is not None and meant.id == task.element and meant.target
        if "name" in task.query:
            continue
        seen = {e.effect for e in strict(task.query, table)}
        assert seen == {meant.effect}, task


@RUNS
@given(tables(), LANGS)
def test_no_refusal_has_a_solution_to_either_reading(table: Table, lang: str) -> None:
    for task in (t for t in tasks(table, lang) if t.kind == "refuse"):
        assert none(query_of(task), table), task
        assert loose(task.query, table) == [], task
        assert task.answer.refuse and task.answer.point is None
        assert task.proofs and all(proof.ok for proof in task.proofs)


@RUNS
@given(tables(), LANGS)
def test_every_refusal_is_one_clause_from_a_task_of_the_same_screen(
    table: Table, lang: str
) -> None:
    made = tasks(table, lang)
    by_id = {task.id: task for task in made}
    for task in (t for t in made if t.kind == "refuse"):
        mine, theirs = query_of(task), query_of(by_id[task.parent])
        differ = [c for c in CLAUSES if getattr(mine, c) != getattr(theirs, c)]
        assert differ == [task.slot]
        assert by_id[task.parent].kind == "ground"


@RUNS
@given(tables(), LANGS, st.integers(0, 12), st.sampled_from([0.0, 0.15, 1.0]))
def test_tasks_are_so_many_at_most_with_ids_of_their_own(
    table: Table, lang: str, most: int, share: float
) -> None:
    made = tasks_of(table, MAIL, Stream("n"), lang, most, share)
    assert len(made) <= most
    assert [t.id for t in made] == [f"t{i:02d}" for i in range(len(made))]
    assert share > 0 or not any(t.kind == "refuse" for t in made)


@RUNS
@given(tables(), LANGS)
def test_the_same_stream_gives_the_same_tasks_and_json(table: Table, lang: str) -> None:
    first, second = tasks(table, lang), tasks(table, lang)
    assert first == second
    assert msgspec.json.decode(msgspec.json.encode(first), type=tuple[TaskSpec, ...]) == first


@RUNS
@given(tables(), LANGS)
def test_instructions_have_no_open_slots_and_other_wordings(table: Table, lang: str) -> None:
    for task in tasks(table, lang):
        for said in (task.instruction, *task.alternatives):
            left = said.replace("{point}", "") if task.kind == "describe" else said
            assert "{" not in left and said == said.strip() and "  " not in said
            assert "None" not in said
        assert task.instruction not in task.alternatives
        if task.kind in ("ground", "refuse") and task.negative != "N7":
            assert task.alternatives


@RUNS
@given(tables(), LANGS)
def test_texts_are_quoted_only_where_they_may_be(table: Table, lang: str) -> None:
    for task in (t for t in tasks(table, lang) if t.kind == "ground" and t.style == "text"):
        element = table.by_id(task.element)
        assert element is not None and element.quotable and element.text in task.instruction


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_kind_and_style_occurs_on_one_rich_screen(lang: str) -> None:
    note = control("#q", 600, 300, "text", "3 unread", target=False, kind="text")
    table = msgspec.structs.replace(inbox(note), lang=lang)
    shares = [0.5] * 30 + [0.1] * 5
    made = [t for i, s in enumerate(shares) for t in tasks(table, lang, name=f"s{i}", share=s)]
    assert {t.kind for t in made} == {"ground", "refuse", "state", "list", "describe", "question"}
    assert {t.style for t in made if t.kind == "ground"} == {
        "text", "function", "appearance", "position", "relation", "state", "ordinal"
    }  # fmt: skip
    assert {t.negative for t in made} == {"", *(f"N{i}" for i in range(1, 14))}
    assert {t.level for t in made if t.kind == "refuse"} == {"hard", "easy"}
