"""Characters that are taken for one another, upright, turned or mirrored; tables, not rendering.

The tables name shapes, case and all: ``c`` and ``C`` are one shape, ``A`` and
``a`` are not. A shape group holds what a reader may confuse in some face of
the catalogue, over Latin, Cyrillic and Greek letters, digits and Chinese.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache
from itertools import combinations

from factory.core.errors import InvalidOptions

_SHAPES = """
0OoQDОоΟοσΘθΦφФф口□囗 1lI|!jіΙι丨工 JЈ 5SsЅѕ 2ZzΖζ 6bGбЬь 9qg 8BВвΒβ 3ЗзЭэε cCСсϲ kKКкκΚ
pPРрρΡ uUvVυνΥ wWωШшщЩ xXХхχΧ yYУуγΥ丫 AАΑΛЛл EЕΕЄ HНнΗ MМмΜ TТтΤ丁 NΝ aаα eеё hһЋђ nпηП
rгΓГ ДдΔ FҒ 一-—ー 二= 十+
未末 未来 己已巳 土士 日曰目 人入八 千干于 天夫无 大太犬丈 王玉主五 木本术禾米 刀力九 贝见
田由甲申电 午牛 问间闷闪 侯候 拔拨 晴睛清请情 戊戌戍成 乌鸟 免兔 今令 了子 几儿九 厂广 办为
万方 勿匆 气乞 冶治 汁汗 折拆析 诉拆 赔陪 住往佳 徒徙 遣遗 辩辨辫瓣 密蜜 粟栗 幕墓慕暮 祟崇
即既 盲肓 萧箫 晓浇烧 爪瓜 司可 句旬 自白百 体休 仑仓 叉又 友发反 左在右石 古舌活 名各 吉告
鸣呜 买卖实头 埋理里黑 早旱 但旦 昌冒 音章意竟竞 享亨亮高 京亭停 农衣 依伏代伐 传转 合台治
全金 余金 巨臣区医匹 心必 世也他她它地池 永水冰 少小步沙 先光 元园完玩 兄只另别 困因回四 酒洒
酉西四 两雨 雪雷电 云去丢 松公 明朋期朝 用甩 丹舟母每海 青责毒 奏春秦泰 卷券拳 看着羊 美羊
半米 幸辛南 东车乐 炼练 江红 饭饮 跑饱抱泡 逃跳桃挑 描猫 狠狼很根跟 银很 眼银 树村材林对 找划我
浅钱线 昨作 怕拍泊柏 捐绢娟 衰衷哀 栓拴 洲州 待侍诗寺等 祥详 钓钩 孤狐 微徽 撒撤 瑞端 喝渴
篮蓝 燥躁 摇遥谣 绕饶挠 厦夏复 床庆应 底低纸 座坐 尺尽户尸 氏民 良艮食 冬各务条 夜液 刻孩该
决块快缺 跌铁
"""
"""Groups of shapes; a character may be in several."""

_RUNS = (
    "rn m",
    "nn m",
    "vv w",
    "VV W",
    "cl d",
    "ci a",
    "ri n",
    "lo b",
    "ol d",
    "IO 10",
    "li h",
    "LI U",
)
"""Runs of letters that close up into another letter."""

_SAFE = {
    "digits": "023456789",
    "upper": "ABCEFGHJKLMNPRSTUWXYZ",
    "lower": "abcdefghkmnoprstuwxyz",
    "upper_digits": "ACEFHJKLMNPRTUWXY347",
    "lower_digits": "acdefhkmnprtuwxy347",
    "cased": "AEFHLMNRTadefhmnrt347",
}
"""Characters of which no two are alike and none is like one that such a text might hold."""

_SELF = {
    "half_turn": "HINOQSXZosxz0825|% ЖИНОФХжинофх ΗΘΙΝΞΟΦΧ 一二三十口日田回中王工申目互",
    "mirror": "AHIMOQTUVWXYilovwx0181|! ЖМНОПТФХШжмноптфхш ΔΗΘΙΛΜΞΟΠΤΦΧΨΩ "
    "一二三十口日田回中王工申目土士木本末未大天夫小八六火山出米平半",
    "quarter_turn": "OXox0+| ОХохΟΧ 十口田回米",
}
"""By move: what looks like itself after it, in most faces."""

_PAIRS = {
    "half_turn": "bq dp nu mw MW 69 hy ae 7L AV vл шт пи ЛV ΛV Лv Eз E3 ft GD rJ CЭ сэ 由甲 干士",
    "mirror": "bd pq sz SZ S2 s2 52 NИ RЯ E3 EЗ eэ JL cэ CЭ 6d 9p gp ah qp 7r Г7 ΓЛ 人入",
    "quarter_turn": "NZ nz uc nc UC ME WE M3 W3 mE w3 HI HΙ l- I- 1- 一1 一I 一l ZИ "
    "ΣM ΣW TΓ Φ0 VL VГ AV эm шE шЭ 日四 目四",
}
"""By move: pairs of which one looks like the other after it."""

MOVES = tuple(_SELF)
"""``half_turn``, ``mirror`` (left and right swap), ``quarter_turn`` (either way)."""


@cache
def _groups() -> dict[str, frozenset[int]]:
    """For every character the numbers of the groups it is in."""
    found: dict[str, set[int]] = {}
    for number, group in enumerate(_SHAPES.split()):
        for char in group:
            found.setdefault(char, set()).add(number)
    return {char: frozenset(numbers) for char, numbers in found.items()}


@cache
def look_alikes(char: str) -> frozenset[str]:
    """Every character in a group with this one, itself included."""
    shapes = [group for group in _SHAPES.split() if char in group]
    return frozenset(char).union(*shapes)


@cache
def fold(char: str) -> str:
    """A character that stands for the shape: equal for two that share a first group.

    Good for comparing texts; ``confusable`` is the sharper test, for a
    character may be in several groups.
    """
    return next((group[0] for group in _SHAPES.split() if char in group), char)


def fold_text(text: str, *, cased: bool = True) -> str:
    """A text with look-alike runs and shapes folded; texts that fold alike may be read alike.

    With ``cased`` false upper and lower case are one.
    """
    for twin in _RUNS:
        run, single = twin.split()
        text = text.replace(run, single)
    return "".join(fold(char if cased else char.lower()) for char in text)


def confusable(a: str, b: str, *, cased: bool = False) -> bool:
    """Whether a reader may take one character for the other; symmetric, and true of equals.

    Without ``cased`` a letter stands for both its cases, as where the answer's case is free.
    """
    one = {a} if cased else {a, a.lower(), a.upper()}
    other = {b} if cased else {b, b.lower(), b.upper()}
    if one & other:
        return True
    none: frozenset[int] = frozenset()
    return any(_groups().get(x, none) & _groups().get(y, none) for x in one for y in other)


def all_distinct(chars: Iterable[str], *, cased: bool = False) -> bool:
    """Whether no two of the characters are confusable."""
    return not any(confusable(a, b, cased=cased) for a, b in combinations(list(chars), 2))


def closes_up(text: str) -> bool:
    """Whether neighbours of a text close up into another letter (``rn``, ``vv``, ``cl``)."""
    return any(twin.split()[0] in text for twin in _RUNS)


def safe_alphabet(kind: str) -> str:
    """Characters for random texts: ``digits``, ``upper``, ``lower``, ``upper_digits``,
    ``lower_digits`` (case free), ``cased`` (case matters)."""
    if kind not in _SAFE:
        raise InvalidOptions(f"no alphabet {kind!r}; there are {', '.join(_SAFE)}")
    return _SAFE[kind]


@cache
def becomes(char: str, move: str) -> frozenset[str]:
    """What a character may be read as after a move of ``MOVES``.

    Empty for a character that shows the move for what it is.
    """
    if move not in MOVES:
        raise InvalidOptions(f"no move {move!r}; there are {', '.join(MOVES)}")
    pairs = [pair for pair in _PAIRS[move].split() if char in pair]
    others = {other for pair in pairs for other in pair if other != char}
    return frozenset(others | ({char} if char in _SELF[move] else set()))


def _script(char: str) -> str:
    """Latin letters and digits are one script here: texts mix them."""
    first = unicodedata.name(char, "NONE").split()[0]
    return "LATIN" if first == "DIGIT" else first


def shows(char: str, *moves: str) -> bool:
    """Whether the character, moved in any of these ways, is seen to be moved.

    It is not where it is then read as itself or as another character of its script.
    """
    return not any(
        _script(other) == _script(char) for move in moves for other in becomes(char, move)
    )
