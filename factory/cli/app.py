"""``factory``: the application and its entry point."""

from __future__ import annotations

import os
import signal
import sys

from cyclopts import App, CycloptsError

from factory import __version__
from factory.clash import startup_clash
from factory.core.errors import ConfigError, DependencyMissing, ExportError, FactoryError

app = App(
    name="factory",
    version=__version__,
    help="Make synthetic GUI-grounding and CAPTCHA data that can be trusted.",
    suppress_keyboard_interrupt=False,  # main says how to go on
)
gen = App(name="gen", help="Generate data.")
gen.command(
    "factory.cli.gen:captcha", name="captcha", help="Generate CAPTCHA puzzles as verified shards."
)
gen.command(
    "factory.cli.gen_grounding:grounding", name="grounding",
    help="Generate pages with verified targets and tasks.",
)  # fmt: skip
gen.command("factory.cli.gen:mix", name="mix", help="Generate several classes into one run.")
app.command(gen)
gallery = App(name="gallery", help="Look at a run.")
gallery.command(
    "factory.cli.gallery_command:export_command",
    name="export",
    help="Write a run as pages that open from a disk.",
)
app.command(gallery)
llm = App(name="llm", help="Look at what language models were asked.")
llm.command(
    "factory.cli.llm_command:ledger_command", name="ledger",
    help="Print calls, tokens, cost and failures by run.",
)  # fmt: skip
app.command(llm)
app.command(
    "factory.cli.train_command:train", name="train",
    help="Train, merge and evaluate models on runs.",
)  # fmt: skip

COMMANDS = {
    "list": "List the CAPTCHA classes.",
    "show": "Make one sample again and compare its bytes.",
    "verify": "Check every file, shard and record of a run.",
    "stats": "Print the counts of a finished run.",
    "check": "Run the contract suite on a class.",
    "new": "Write a class that works, to be made into another.",
    "bench": "Time classes against encoding alone.",
    "doctor": "Check the installation.",
    "setup": "Install what packages cannot, and paint the bank of pages.",
}
app.command(
    "factory.cli.check_page_command:check_page_command", name="check-page",
    help="Tell what can be pressed and seen on a page.",
)  # fmt: skip
for _name, _help in COMMANDS.items():
    app.command(f"factory.cli.{_name}_command:{_name}_command", name=_name, help=_help)


def _go_on() -> str:
    """How to go on with what was stopped: only ``gen`` keeps what it made."""
    return "; --resume continues the run" if "gen" in sys.argv[1:2] else ""


def _terminate(number: int, frame: object) -> None:
    """What schedulers send: end as an interrupt does, workers and lock included."""
    print(f"factory: terminated{_go_on()}", file=sys.stderr)
    sys.exit(128 + number)


def main() -> None:
    """Run a command; every deliberate error becomes one message and its documented exit code."""
    signal.signal(signal.SIGTERM, _terminate)
    clash = startup_clash()
    if clash:
        print(f"factory: {clash}", file=sys.stderr)
        sys.exit(DependencyMissing.exit_code)
    try:
        code = app(
            sys.argv[1:], result_action="return_value", exit_on_error=False, print_error=False
        )
    except CycloptsError as error:
        print(f"factory: {error} Add --help to see what there is.", file=sys.stderr)
        sys.exit(ConfigError.exit_code)
    except FactoryError as error:
        print(f"factory: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        print(f"factory: interrupted{_go_on()}", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        print(f"factory: {error.filename or 'a file'}: {error.strerror}", file=sys.stderr)
        sys.exit(ExportError.exit_code)
    sys.exit(code if isinstance(code, int) else 0)


if __name__ == "__main__":
    main()
