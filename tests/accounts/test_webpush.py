"""Web Push messages: the RFC's own example, signatures that verify, and addresses that nothing is sent to."""

import json
from datetime import UTC, datetime

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from accounts.notifications.push_services import Refused, check_endpoint, deliver, is_public
from accounts.notifications.webpush import decode, encode, encrypt, point_of, public_key, signature_for, site_key

NOW = datetime(2026, 5, 9, 10, tzinfo=UTC)


def test_message_is_encrypted_as_the_example_of_rfc_8291():
    """RFC 8291, section 5 and appendix A."""
    own = ec.derive_private_key(int.from_bytes(decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")), ec.SECP256R1())
    browser = decode("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4")
    body = encrypt(
        b"When I grow up, I want to be a watermelon",
        browser,
        decode("BTBZMqHH6r4Tts7J_aSIgg"),
        salt=decode("DGv6ra1nlYgDCS1FRnbzlw"),
        own_key=own,
    )
    assert encode(body) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
        "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_signature_names_the_service_and_verifies():
    header = signature_for("https://push.example.org/abc?d=1", NOW)
    token, key = header.removeprefix("vapid t=").split(", k=")
    head, claims, signature = token.split(".")
    assert json.loads(decode(claims)) | {"sub": ""} == {
        "aud": "https://push.example.org", "exp": int(NOW.timestamp()) + 12 * 3600, "sub": "",
    }  # fmt: skip
    assert json.loads(decode(head))["alg"] == "ES256"
    raw = decode(signature)
    numbers = (int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    verifier = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(key))
    verifier.verify(encode_dss_signature(*numbers), f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    assert key == public_key() == encode(point_of(site_key()))


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
        "255.255.255.255", "::1", "::", "fe80::1%eth0", "fc00::1", "fd12::1", "ff02::1", "::ffff:127.0.0.1",
        "::ffff:10.0.0.1", "2002:7f00:1::1", "64:ff9b::a00:1",
    ],
)  # fmt: skip
def test_addresses_inside_networks_are_not_public(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", ["1.1.1.1", "2606:4700:4700::1111"])
def test_addresses_on_the_internet_are_public(address):
    assert is_public(address)


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.org/a", "ftp://push.example.org/a", "https://push.example.org:8443/a", "https:///a", "",
        "https://user:pass@push.example.org/a", "https://push.example.org/a b", "https://push.example.org/\r\nX: 1",
        "https://[::1", "http://127.0.0.1:80/a", "https://push.example.org:99999/a", "https://púsh.example.org/",
    ],
)  # fmt: skip
def test_endpoints_that_are_no_push_service_are_refused(endpoint):
    with pytest.raises(Refused):
        check_endpoint(endpoint)


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1", "[::1]", "10.0.0.1", "0x7f.1", "2130706433", "169.254.169.254", "127.1"]
)
def test_nothing_is_sent_to_private_hosts(host):
    with pytest.raises(Refused):
        deliver(f"https://{host}/a", b"", {})
