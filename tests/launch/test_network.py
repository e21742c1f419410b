"""The machine's addresses and ports."""

import socket

import pytest

from launch import network
from launch.failures import Unusable
from tests.launch.conftest import free_port


def test_lan_addresses_are_reachable_from_outside() -> None:
    for address in network.lan_addresses():
        assert socket.inet_aton(address)
        assert not address.startswith("127.")


def test_allowed_hosts_name_this_machine_and_no_more() -> None:
    hosts = network.allowed_hosts(["desk.example"]).split(",")
    assert {"localhost", "127.0.0.1", "desk.example", *network.lan_addresses()} <= set(hosts)
    assert not any("*" in host or host.startswith(".") or not host for host in hosts)


def test_busy_port_is_refused_with_another_to_try() -> None:
    port = free_port()
    with socket.socket() as holder:
        holder.bind(("0.0.0.0", port))
        holder.listen()
        with pytest.raises(Unusable, match=f"Port {port} is in use.*--port {port + 1}"):
            network.require_free_port(port)
    network.require_free_port(port)
