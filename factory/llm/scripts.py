"""What a script of a page would do. None ever runs; those that reach out are refused by name."""

from __future__ import annotations

import re

from factory.llm.reasons import Bad, BadAnswer

WORKERS = re.compile(r"serviceworker|\b(?:shared)?worker\s*\(|importscripts", re.IGNORECASE)
NETWORK = re.compile(
    r"\bfetch\b|xmlhttprequest|websocket|eventsource|sendbeacon|rtcpeerconnection|webtransport"
    r"|\bimport\b|\bnew\s+image\b|\.src\s*=|https?:|wss?:|['\"`]//|\bajax\b|\baxios\b"
    r"|speculationrules|prefetch",
    re.IGNORECASE,
)
ESCAPES = re.compile(
    r"\beval\b|\bfunction\s*\(\s*['\"`]|\batob\b|unescape|fromcharcode|document\s*\.\s*(?:write|cookie|domain)"
    r"|\blocation\b|window\s*(?:\.\s*open|\[)|\bopen\s*\(|postmessage|localstorage|sessionstorage"
    r"|indexeddb|\b(?:top|parent|opener|frames|self|globalthis)\s*[\.\[]|\bhistory\s*\."
    r"|\bnavigator\b|\.submit\s*\(|settimeout\s*\(\s*['\"`]|constructor|\\x[0-9a-f]{2}|\\u[0-9a-f{]",
    re.IGNORECASE,
)
SHOWN = 60


def check_script(text: str, kind: str = "") -> None:
    """``BadAnswer`` for a script that registers a worker, asks a network or leaves the page."""
    whole = f"{kind} {text}"
    for reason, pattern in (
        (Bad.SERVICE_WORKER, WORKERS), (Bad.SCRIPT_NETWORK, NETWORK), (Bad.SCRIPT_ESCAPES, ESCAPES),
    ):  # fmt: skip
        if found := pattern.search(whole):
            raise BadAnswer(reason, f"a script with {found[0][:SHOWN]!r}; write no scripts")


def check_handler(name: str, text: str) -> None:
    """``BadAnswer`` for an event handler that would do so."""
    try:
        check_script(text)
    except BadAnswer as bad:
        raise BadAnswer(Bad.HANDLER_LEAVES, f"{name}: {bad.detail}") from bad
    if re.search(r"javascript:|vbscript:", text, re.IGNORECASE):
        raise BadAnswer(Bad.HANDLER_LEAVES, f"{name} runs a link; write no handlers")
