"""What a model fills in: the content of a screen, then its layout, in terms of our components."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

IconName = Literal[
    "archive", "bell", "bike", "book-open", "bookmark", "briefcase", "bus", "calendar", "camera",
    "chart-bar", "check", "clock", "coffee", "copy", "credit-card", "download", "eye", "file-text",
    "flag", "folder", "gift", "globe", "heart", "house", "image", "inbox", "key", "leaf", "link",
    "list", "lock", "mail", "map", "map-pin", "message-circle", "mic", "music", "package",
    "pencil", "phone", "plus", "printer", "refresh-cw", "search", "send", "settings", "share-2",
    "shield", "shopping-cart", "star", "sun", "tag", "ticket", "trash-2", "truck", "upload",
    "user", "users", "utensils", "wallet", "wrench", "zap",
]  # fmt: skip
"""Line icons that stand for functions; all are in the icon package."""

Short = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=24)]
Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=2, max_length=40)]
Phrase = Annotated[str, StringConstraints(strip_whitespace=True, min_length=2, max_length=90)]
Key = Annotated[str, StringConstraints(pattern="^[a-z][a-z0-9_]{1,23}$")]


class _Filled(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Deed(_Filled):
    """Something the app can do: words on its control, and a phrase of what pressing it does."""

    key: Key
    label: Short
    does: Phrase
    icon: IconName


class Entry(_Filled):
    """One thing in the list, table or cards of the screen."""

    title: Line
    detail: Phrase
    value: Short


class Blank(_Filled):
    """A field of the form; ``value`` may be empty, then ``hint`` is drawn."""

    caption: Short
    value: Annotated[str, StringConstraints(strip_whitespace=True, max_length=32)]
    hint: Short


class Choice(_Filled):
    """One choice among options; the first is chosen."""

    caption: Short
    options: list[Short] = Field(min_length=2, max_length=5)


class Content(_Filled):
    """First stage: what the app is, does, lacks and shows."""

    app_name: Annotated[str, StringConstraints(strip_whitespace=True, min_length=2, max_length=18)]
    icon: IconName
    title: Line
    intro: Phrase
    functions: list[Deed] = Field(min_length=6, max_length=14)
    missing: list[Phrase] = Field(min_length=2, max_length=6)
    entries: list[Entry] = Field(min_length=3, max_length=9)
    fields: list[Blank] = Field(min_length=1, max_length=5)
    choices: list[Choice] = Field(min_length=1, max_length=3)
    switches: list[Line] = Field(min_length=1, max_length=5)


BlockKind = Literal["text", "actions", "list", "table", "cards", "form", "choices", "switches"]
Keys = Annotated[list[Key], Field(max_length=4)]


class Block(_Filled):
    """A part of the screen; ``functions`` are its buttons, or those of each entry of a list."""

    kind: BlockKind
    heading: Line
    functions: Keys


class Layout(_Filled):
    """Second stage: where the content of the first stands. Keys are those of its functions."""

    header: Annotated[list[Key], Field(min_length=1, max_length=4)]
    navigation: Annotated[list[Key], Field(max_length=6)]
    tabs: Annotated[list[Key], Field(max_length=4)]
    blocks: list[Block] = Field(min_length=1, max_length=5)
    dialog: Literal["none", "ask"]
    dialog_function: Key


ENTRY_KINDS = ("list", "table", "cards")
"""Kinds of blocks that show the entries; a screen has one of them at most."""
