"""What every test runs under: fixed Hypothesis seeds, one home of assets, no network."""

from __future__ import annotations

import ipaddress
import os
import socket
from collections.abc import Generator, Iterator
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before numpy: its threads fight over few cores

import pytest
from hypothesis import HealthCheck, settings

from factory.core.errors import DependencyMissing
from factory.draw.assets import home
from factory.web.browser import BrowserChoice, find_browser

settings.register_profile(
    "fixed",
    derandomize=True,
    deadline=None,  # machines differ; time budgets have tests of their own
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("explore", settings.get_profile("fixed"), derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))


@pytest.fixture(autouse=True, scope="session")
def _assets_stay_where_they_are() -> None:
    """Tests that move ``HOME`` or start processes go on using the assets that set-up brought."""
    os.environ["FACTORY_HOME"] = str(home())


def _is_local(family: int, address: Any) -> bool:
    if family not in (socket.AF_INET, socket.AF_INET6):
        return True  # a Unix socket
    host = address[0]
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@pytest.fixture(autouse=True, scope="session")
def _no_network_but_loopback() -> Iterator[None]:
    """A connection to any other machine fails the test that tries it."""
    connect, connect_ex = socket.socket.connect, socket.socket.connect_ex

    def guarded_connect(self: socket.socket, address: Any) -> None:
        _refuse_unless_local(self, address)
        connect(self, address)

    def guarded_connect_ex(self: socket.socket, address: Any) -> int:
        _refuse_unless_local(self, address)
        return connect_ex(self, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded_connect)
        patch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
        yield


def _refuse_unless_local(caller: socket.socket, address: Any) -> None:
    if not _is_local(caller.family, address):
        pytest.fail(f"a test tried to reach {address!r}; only loopback is allowed")


@pytest.fixture(scope="session")
def chromium() -> BrowserChoice:
    """The browser of this machine; without one the test is skipped, or fails in the gate."""
    try:
        return find_browser()
    except DependencyMissing as missing:
        if os.environ.get("FACTORY_REQUIRE_BROWSER"):
            pytest.fail(str(missing))
        pytest.skip(str(missing))


# The gate runs with FACTORY_NO_SKIPS: there, what cannot be tested has failed.


def _fail_instead_of_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    if os.environ.get("FACTORY_NO_SKIPS") and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped where skipping is failing: {report.longrepr}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    _fail_instead_of_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    _fail_instead_of_skip(report)
    return report
