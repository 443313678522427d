"""Claims about the prompt catalogue."""

import re
from collections import Counter

import pytest

from factory.core.action_text import DIALECTS
from factory.core.actions import PLATFORM_ACTIONS
from factory.core.errors import InvalidOptions
from factory.core.prompts import (
    LANGS,
    PLATFORMS,
    catalogue_version,
    generic_instructions,
    instruction_mode,
    prompt_for,
)
from factory.core.rng import Stream

PROVIDERS = ("recaptcha", "hcaptcha", "geetest", "turnstile", "cloudflare", "arkose", "tencent")


@pytest.mark.parametrize("lang", LANGS)
def test_there_are_thirty_different_ways_to_ask(lang):
    ways = generic_instructions(lang)
    assert len(set(ways)) == len(ways) >= 30
    assert all(way == way.strip() and way[-1] in ".?。？" for way in ways)
    assert all(re.search("[\u4e00-\u9fff]", way) for way in ways) is (lang == "zh")


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("lang", LANGS)
def test_prompt_names_its_actions_and_leaves_no_placeholder(platform, dialect, lang):
    prompt = prompt_for(platform, dialect, "goal", "do it", lang=lang)
    text = prompt.system + prompt.user
    assert "do it" in prompt.user and not re.search(r"\{[a-z]+\}", text)
    assert not any(provider in text.lower() for provider in PROVIDERS)
    names = re.findall(r"^- ([A-Za-z]+)\(", prompt.system, re.MULTILINE)
    assert names == [cls.__name__ for cls in PLATFORM_ACTIONS.get(platform, ())]
    if names:
        assert f"Click({dialect}=(x, y))" in prompt.system
        assert "<think>" in prompt.system and "<action>" in prompt.system
    else:
        in_places = platform == "grounding"
        assert ("[-1,-1]" in prompt.system and "[x,y]" in prompt.system) == in_places


def test_modes_say_the_instruction_the_goal_or_both():
    way = generic_instructions("en")[3]
    asked = {
        mode: prompt_for("captcha", "point", mode, "Turn it.", 3).user
        for mode in ("generic", "goal", "both")
    }
    assert asked == {"generic": way, "goal": "Turn it.", "both": f"{way}\nTurn it."}
    assert (
        prompt_for("captcha", "point", "generic", "", 3 + len(generic_instructions())).user == way
    )


def test_goal_is_taken_as_it_is():
    assert prompt_for("web", goal="type {at} {goal}").user == "Task: type {at} {goal}"


def test_shares_of_the_modes():
    counts = Counter(instruction_mode(Stream(f"mode/{i}")) for i in range(5000))
    assert counts["generic"] == pytest.approx(3000, abs=150)
    assert counts["goal"] == pytest.approx(1000, abs=120)


@pytest.mark.parametrize(
    "options",
    [
        dict(platform="tv"), dict(platform="web", dialect="dot"), dict(platform="web", lang="xx"),
        dict(platform="captcha", instruction_mode="goal"),
        dict(platform="web", instruction_mode="generic"),
        dict(platform="captcha", instruction_mode="none", goal="x"),
    ],
)  # fmt: skip
def test_unknown_names_and_missing_goals_are_refused(options):
    with pytest.raises(InvalidOptions):
        prompt_for(**options)


def test_hotkeys_are_written_as_the_platform_writes_them():
    assert "keys=('ctrl', 'c')" in prompt_for("web", goal="x").system
    assert "keys=['ctrl', 'c']" in prompt_for("desktop", goal="x").system


def test_catalogue_has_a_version():
    assert catalogue_version() >= 1
