"""A tab of the browser in a context of its own, and how to talk to it."""

from __future__ import annotations

from typing import Any

from factory.web.verdict.devtools import Chromium, Refused, Silence
from factory.web.verdict.types import PageFault, PageReason

ASK_S = 20.0
LEFT = "Not attached to an active page"
"""What DevTools says of a page that has gone elsewhere meanwhile."""


class Tab:
    """A tab. Its alerts are dismissed; its crash and its silence are faults of the page."""

    def __init__(self, browser: Chromium) -> None:
        self.browser = browser
        self.world = 0
        self.context = browser("Target.createBrowserContext")["browserContextId"]
        made = browser(
            "Target.createTarget", {"url": "about:blank", "browserContextId": self.context}
        )
        asked = {"targetId": made["targetId"], "flatten": True}
        self.session = browser("Target.attachToTarget", asked)["sessionId"]

    def send(
        self, method: str, params: dict[str, Any] | None = None, timeout_s: float | None = None
    ) -> dict[str, Any]:
        """A command to this page; its alerts are dismissed, its crash is a fault."""
        number = self.browser.post(method, params, self.session)
        return self.answer(number, timeout_s or ASK_S)

    def send_all(self, method: str, params: list[dict[str, Any]]) -> list[dict[str, Any] | None]:
        """Many commands at once; None where DevTools refused one."""
        numbers = [self.browser.post(method, p, self.session) for p in params]
        out: list[dict[str, Any] | None] = []
        for number in numbers:
            try:
                out.append(self.answer(number, ASK_S))
            except Refused:
                out.append(None)
        return out

    def answer(self, number: int, timeout_s: float) -> dict[str, Any]:
        """The answer to a posted command; ``HUNG`` when there is none in time."""
        try:
            return self.browser.answer(number, timeout_s, self.react)
        except Silence as silence:
            raise PageFault(PageReason.HUNG, str(silence)) from silence
        except Refused as error:
            if LEFT in str(error):
                raise PageFault(PageReason.NAVIGATED, str(error)) from error
            raise

    def react(self) -> None:
        """Deal with what the browser told of this tab meanwhile."""
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            if event["method"] == "Page.javascriptDialogOpening":
                event["method"] = "seen"
                self.browser.post("Page.handleJavaScriptDialog", {"accept": False}, self.session)
            elif event["method"] == "Inspector.targetCrashed":
                raise PageFault(PageReason.CRASHED, "the page's process ended")

    def evaluate(self, expression: str, *, wait: bool = False, value: bool = True) -> Any:
        """A value from the isolated world, or an object id with ``value=False``."""
        asked = {
            "expression": expression, "contextId": self.world,
            "returnByValue": value, "awaitPromise": wait,
        }  # fmt: skip
        try:
            reply = self.send("Runtime.evaluate", asked)
        except Refused as error:
            raise PageFault(PageReason.NAVIGATED, str(error)) from error
        if "exceptionDetails" in reply:
            details = reply["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return reply["result"].get("value" if value else "objectId")

    def objects(self, expression: str) -> list[str]:
        """Object ids of the elements in an array of the isolated world."""
        array = self.evaluate(expression, value=False)
        found = self.send("Runtime.getProperties", {"objectId": array, "ownProperties": True})
        rows = [p for p in found["result"] if p["name"].isdigit()]
        return [p["value"]["objectId"] for p in rows if "objectId" in p["value"]]

    def call_with(self, function: str, object_ids: list[str]) -> None:
        """Call a function of the isolated world with these elements."""
        asked = {
            "functionDeclaration": f"function(...a) {{ {function}(...a) }}",
            "executionContextId": self.world, "arguments": [{"objectId": i} for i in object_ids],
        }  # fmt: skip
        reply = self.send("Runtime.callFunctionOn", asked)
        if "exceptionDetails" in reply:
            raise RuntimeError(str(reply["exceptionDetails"]))

    def close(self) -> None:
        """Drop the tab with its context."""
        self.browser("Target.disposeBrowserContext", {"browserContextId": self.context})
        self.forget()

    def forget(self) -> None:
        """Drop what this tab said that nobody waits for any more."""
        self.browser.forget(self.session)
