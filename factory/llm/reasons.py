"""Why an answer or a page of a model is refused, by name. docs/llm.md explains each."""

from __future__ import annotations

from enum import StrEnum


class Bad(StrEnum):
    """What checks say of an answer before a browser sees it."""

    # The answer itself
    REFUSED = "refused"
    EMPTY = "empty"
    TRUNCATED = "truncated"
    NOT_JSON = "not_json"
    SCHEMA = "schema"
    NO_HTML = "no_html"
    # Its words
    MARKUP = "markup"
    INVISIBLE_LETTERS = "invisible_letters"
    PROMPT_TEXT = "prompt_text"
    PLACEHOLDER = "placeholder"
    BRAND = "brand"
    LANGUAGE = "language"
    # What it says of functions
    TWINS = "twins"
    UNKNOWN_FUNCTION = "unknown_function"
    TOO_LITTLE = "too_little"
    # Hostile or unusable HTML
    SCRIPT_NETWORK = "script_network"
    SCRIPT_SOURCE = "script_source"
    SCRIPT_ESCAPES = "script_escapes"
    SERVICE_WORKER = "service_worker"
    HANDLER_LEAVES = "handler_leaves"
    SCRIPT_LINK = "script_link"
    EXTERNAL_ADDRESS = "external_address"
    LOCAL_FILE = "local_file"
    DATA_ADDRESS = "data_address"
    META_REFRESH = "meta_refresh"
    BASE_ADDRESS = "base_address"
    EMBEDDED_PAGE = "embedded_page"
    FORM_ELSEWHERE = "form_elsewhere"
    CSS_ADDRESS = "css_address"
    CSS_IMPORT = "css_import"
    CSS_SCRIPT = "css_script"
    HIDDEN_TEXT = "hidden_text"
    TOO_LARGE = "too_large"
    TOO_DEEP = "too_deep"


class Page(StrEnum):
    """What gates say of a page that a browser has shown."""

    FEW_TARGETS = "few_targets"
    FEW_ROLES = "few_roles"
    BLANK = "blank"
    OVERFLOW = "overflow"
    UNSEEN_TEXT = "unseen_text"


class BadAnswer(Exception):
    """An answer that cannot be used; ``detail`` is told to the model when it is asked again."""

    def __init__(self, reason: Bad, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason, self.detail = reason, detail
