"""What every test runs under: fixed Hypothesis seeds, one home of assets, no network."""

from __future__ import annotations

import ipaddress
import os
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from factory.draw.assets import home

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
