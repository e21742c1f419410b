"""This machine's addresses and ports, as a phone in the same room sees them."""

import contextlib
import fcntl
import re
import socket
import ssl
import struct
import subprocess
import sys
from pathlib import Path

from launch.failures import Unusable

SIOCGIFADDR = 0x8915
OUTSIDE = ("192.0.2.1", "10.255.255.255", "192.168.255.255", "172.31.255.255")
"""Addresses that are only asked for the way to them; nothing is sent."""


def lan_addresses() -> list[str]:
    """IPv4 addresses of this machine, the one that others most likely reach it by first; empty when it is offline."""
    found = [*routed_addresses(), *interface_addresses()]
    return [address for address in dict.fromkeys(found) if not address.startswith(("127.", "0."))]


def routed_addresses() -> list[str]:
    """Addresses that this machine would send from."""
    return [address for target in OUTSIDE if (address := source_towards(target))]


def source_towards(target: str) -> str:
    """This machine's address towards `target`, empty when there is no way to it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((target, 9))
        except OSError:
            return ""
        return str(probe.getsockname()[0])


def interface_addresses() -> list[str]:
    """Addresses of every interface: asked from the kernel on Linux, from ifconfig elsewhere."""
    if sys.platform == "linux":
        return [address for _, name in socket.if_nameindex() if (address := linux_address(name))]
    try:
        output = subprocess.run(["ifconfig"], capture_output=True, text=True, timeout=5).stdout
    except (OSError, subprocess.TimeoutExpired):
        return []
    return re.findall(r"\binet (\d+\.\d+\.\d+\.\d+)", output)


def linux_address(interface: str) -> str:
    """The IPv4 address of one interface, empty when it has none."""
    request = struct.pack("256s", interface.encode()[:15])
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        return socket.inet_ntoa(fcntl.ioctl(probe, SIOCGIFADDR, request)[20:24])
    return ""


def host_names() -> list[str]:
    """Names by which browsers may ask for this machine."""
    name = socket.gethostname().lower()
    short = name.split(".")[0]
    return ["localhost", "127.0.0.1", "[::1]", name, short, f"{short}.local"]


def allowed_hosts(extra: list[str]) -> str:
    """Every name and address that requests may carry, joined by commas, for DOOMDESK_HOSTS."""
    return ",".join(dict.fromkeys([*host_names(), *lan_addresses(), *extra]))


def require_free_port(port: int) -> None:
    """Raise Unusable when another program listens on `port`, or when it may not be used."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", port))  # noqa: S104 (the shop's network is meant)
        except PermissionError:
            raise Unusable(f"Port {port} needs root: choose one from 1024 on, as in `./run --port 8000`.") from None
        except OSError:
            free = f"./run --port {port + 1 if port < 65535 else 8000}"
            raise Unusable(f"Port {port} is in use by another program: stop it, or start with `{free}`.") from None


def require_certificate(certificate: Path, key: Path) -> None:
    """Raise Unusable when a certificate and its key can't be read, or don't belong together."""
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password=_no_password)
    except FileNotFoundError:
        missing = certificate if not certificate.exists() else key
        raise Unusable(f"There is no file {missing}: name the certificate and its key.") from None
    except (OSError, ValueError) as error:  # ssl.SSLError is an OSError
        raise Unusable(
            f"{certificate} and {key} are no certificate (PEM) and its key without a password: {error}"
        ) from None


def _no_password() -> str:
    """Instead of asking in the terminal: the web server is restarted by itself."""
    raise ValueError("the key has a password")


def is_open(port: int) -> bool:
    """Whether something accepts connections on `port` of this machine."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0
