"""HTTPS by `./run --tls-cert FILE --tls-key FILE`."""

import os
import ssl
import subprocess
import sys
import urllib.request
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from launch import network, roles
from launch.commands import door_of, parse
from launch.failures import Unusable
from launch.places import ROOT
from tests.launch.conftest import Desk


def certificate(folder: Path, password: bytes = b"") -> tuple[Path, Path]:
    """The files of a certificate for this machine and of its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
    signed = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), False).sign(
        key, hashes.SHA256()
    )
    files = folder / f"desk{len(password)}.pem", folder / f"desk{len(password)}.key"
    files[0].write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    sealed = serialization.BestAvailableEncryption(password) if password else serialization.NoEncryption()
    coding = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, sealed
    files[1].write_bytes(key.private_bytes(*coding))
    return files


def test_https_comes_with_the_names_a_certificate_is_good_for(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    door = door_of(parse(["--host", "desk.example", "--tls-cert", str(cert), "--tls-key", str(key)]))
    assert door.for_others(["192.0.2.7"]) == ["https://desk.example:8000/", "https://192.0.2.7:8000/"]
    assert roles.site_environment(tmp_path, door)["DOOMDESK_ADDRESS"] == "https://desk.example:8000"
    assert roles.web({}, door).command[-4:] == ["--ssl-certfile", str(cert), "--ssl-keyfile", str(key)]


def test_plain_http_stays_as_it_was(tmp_path: Path) -> None:
    door = door_of(parse(["--host", "desk.example"]))
    assert door.for_others(["192.0.2.7"]) == ["http://192.0.2.7:8000/"]
    assert "--ssl-certfile" not in roles.web({}, door).command


def test_certificate_and_key_are_asked_for_together(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse(["--tls-cert", "desk.pem"])
    assert "belong together" in capsys.readouterr().err


def test_what_is_no_certificate_is_refused_before_anything_starts(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    _locked, secret = certificate(tmp_path, b"word")
    for given, says in (
        ((cert, tmp_path / "none.key"), "There is no file"),
        ((key, cert), "no certificate"),
        ((cert, secret), "without a password"),
        ((_locked, key), "no certificate"),
    ):
        with pytest.raises(Unusable, match=says):
            network.require_certificate(*given)


@pytest.mark.parametrize(("tls", "secure"), [("1", True), ("", False)])
def test_cookies_are_for_https_alone_exactly_when_the_site_serves_it(tls: str, secure: bool) -> None:
    code = "from config.settings import laptop as s; print(s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE)"
    own = {**os.environ, "DOOMDESK_TLS": tls, "SECRET_KEY": "x"}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=own, capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == [str(secure)] * 2, done.stderr


def test_site_answers_by_https_with_secure_cookies(kept: Desk, tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    printed = kept.start("--tls-cert", str(cert), "--tls-key", str(key))
    assert f"https://localhost:{kept.port}/" in printed
    trusting = ssl.create_default_context(cafile=str(cert))
    with urllib.request.urlopen(f"https://localhost:{kept.port}/accounts/login/", context=trusting) as answer:
        assert answer.status == 200
        assert "Secure" in answer.headers["Set-Cookie"]
        assert "This connection isn't encrypted" not in answer.read().decode()
    with pytest.raises(OSError, match=r"closed|reset|EOF"):
        kept.page()
    assert kept.end() == 0
