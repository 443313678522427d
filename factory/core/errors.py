"""Every error the factory raises on purpose.

::

    FactoryError
    |- ConfigError                 exit 2   the request is wrong; nothing was started
    |  |- UnknownType                       no such class; carries the nearest name
    |  |- InvalidOptions                    an option is out of range or contradicts another
    |  |- ActionSyntaxError                 a text outside the action grammar (action_text.py)
    |  |- PluginBroken                      a class file or entry point does not import
    |  |- DependencyMissing        exit 3   a package, font, browser or asset is absent
    |  '- CapacityExceeded                  more distinct samples asked than the class holds
    |- SampleError                 exit 4   one sample failed; carries key and replay command
    |  |- Rejected                          this draw is unusable: re-draw (never leaves the loop)
    |  |- AttemptsExhausted                 no usable draw in the bound; carries the reasons
    |  |- RenderFailed                      the picture could not be drawn or encoded
    |  '- VerificationFailed                the class contradicts itself: quarantined, never retried
    |- ExportError                 exit 5   files could not be written or read
    |  |- RunExists                         the folder is used, or belongs to another request
    |  |- RunLocked                         another process is writing there
    |  |- KeyCollision                      one key twice
    |  |- SchemaMismatch                    a record or table has another schema
    |  |- ShardCorrupt                      a shard is not what the manifest says
    |  '- DiskFull                 exit 6   no space left; `--resume` completes the run
    |- HolesFound                  exit 7   more indices than allowed could not be made
    '- ModelError                  exit 8   a language model could not be asked
       |- ModelUnreachable                  its server is silent, or refuses the key or the model
       |- BudgetSpent                       a cap of calls, tokens or cost is reached
       '- NotRecorded                       an answer was to be replayed and there is none

Exit 0 is success, 1 is a failed verification or check, 130 an interrupt.
A message says what happened with its values, the likely cause and the next
command.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class FactoryError(Exception):
    """Root of the tree; ``exit_code`` is what the command line returns."""

    exit_code = 1

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors cross from workers to the run's process, whatever their constructors take."""
        return _restored, (type(self), self.args, self.__dict__)


def _restored(
    kind: type[FactoryError], args: tuple[Any, ...], fields: dict[str, Any]
) -> FactoryError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(fields)
    return error


class ConfigError(FactoryError):
    """The request is wrong; nothing was started."""

    exit_code = 2


class UnknownType(ConfigError):
    """No CAPTCHA class, family or scenario has this name."""


class InvalidOptions(ConfigError):
    """An option is out of range, malformed, or contradicts another."""


class PluginBroken(ConfigError):
    """A class file or an entry point could not be imported."""


class DependencyMissing(ConfigError):
    """A package, font, browser or asset is absent; the message names the line that brings it."""

    exit_code = 3


class CapacityExceeded(ConfigError):
    """More distinct samples were asked for than the class can make."""


class SampleError(FactoryError):
    """One sample failed. ``key`` is its text form, ``replay`` the command that repeats it."""

    exit_code = 4

    def __init__(self, message: str, *, key: str = "") -> None:
        super().__init__(message)
        self.key = key

    @property
    def replay(self) -> str:
        """The shell command that makes the same sample again."""
        return f"factory show {self.key}" if self.key else ""


class Rejected(SampleError):
    """This draw is unusable and the next one may be fine.

    ``reason`` is a short code for statistics; ``value`` and ``limit`` are the
    measured number and the bound it broke, where there are such.
    """

    def __init__(
        self, reason: str, *, value: float | None = None, limit: float | None = None
    ) -> None:
        measured = "" if value is None else f" ({value:.4g} against {limit:.4g})"
        super().__init__(f"rejected: {reason}{measured}")
        self.reason = reason
        self.value = value
        self.limit = limit


class AttemptsExhausted(SampleError):
    """No draw was usable within the bound; ``reasons`` counts why, ``advice`` says what to do."""

    def __init__(
        self, attempts: int, reasons: Mapping[str, int], *, key: str = "", advice: str = ""
    ) -> None:
        worst = sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
        listing = ", ".join(f"{reason} x{count}" for reason, count in worst)
        first = worst[0][0] if worst else "the options"
        advice = advice or f"loosen '{first}' first, or lower --difficulty"
        super().__init__(
            f"{key}: no usable draw in {attempts} attempts ({listing}); {advice}", key=key
        )
        self.reasons = dict(reasons)


class RenderFailed(SampleError):
    """The picture could not be drawn or encoded."""


class VerificationFailed(SampleError):
    """A class contradicts itself: a bug, quarantined and never retried."""


class ExportError(FactoryError):
    """Files could not be written or read."""

    exit_code = 5


class RunExists(ExportError):
    """The run folder is in use already, or was made by another request."""


class RunLocked(ExportError):
    """Another process holds the lock of the run folder."""


class KeyCollision(ExportError):
    """One key occurs twice."""


class SchemaMismatch(ExportError):
    """A record or table does not have the published schema."""


class ShardCorrupt(ExportError):
    """A shard is not what the manifest says it is."""


class DiskFull(ExportError):
    """No space is left; what was published is whole and `--resume` completes the run."""

    exit_code = 6


class HolesFound(FactoryError):
    """More indices than allowed could not be made."""

    exit_code = 7


class ModelError(FactoryError):
    """A language model could not be asked; `--resume` goes on when it can."""

    exit_code = 8


class ModelUnreachable(ModelError):
    """The server of a model does not answer, or refuses the key or the model."""


class BudgetSpent(ModelError):
    """A cap of calls, tokens or cost is reached."""


class NotRecorded(ModelError):
    """An answer was to be replayed, and nobody recorded it."""
