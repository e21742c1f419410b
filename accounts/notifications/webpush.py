"""Web Push messages: encrypted for one browser (RFC 8291) and signed as this site's (VAPID, RFC 8292)."""

import json
import os
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import datetime, timedelta
from functools import cache
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings

RECORD = 4096
"""Bytes of the one record of a message; push services take no longer ones."""
LASTS = timedelta(hours=12)
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Of the group of P-256 (SEC 2, 2.4.2)."""


def encrypt(
    payload: bytes,
    browser_key: bytes,
    secret: bytes,
    *,
    salt: bytes | None = None,
    own_key: ec.EllipticCurvePrivateKey | None = None,
) -> bytes:
    """A payload that only the browser with this public key (65 bytes) and secret (16 bytes) reads (RFC 8291, 3.4).

    `salt` and `own_key` are new for each message; tests hand over those of the RFC. ValueError for a bad key.
    """
    salt, own_key = salt or os.urandom(16), own_key or ec.generate_private_key(ec.SECP256R1())
    browser = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), browser_key)
    own_public = point_of(own_key)
    shared = own_key.exchange(ec.ECDH(), browser)
    material = _derive(shared, secret, b"WebPush: info\0" + browser_key + own_public, 32)
    key = _derive(material, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(material, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + struct.pack("!LB", RECORD, len(own_public)) + own_public
    return head + AESGCM(key).encrypt(nonce, payload + b"\x02", None)


def _derive(material: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(material)


@cache
def site_key() -> ec.EllipticCurvePrivateKey:
    """The key that signs for this site: it follows from SECRET_KEY, and lasts as long as that does."""
    seed = _derive(settings.SECRET_KEY.encode(), b"doomdesk", b"web push", 48)
    return ec.derive_private_key(int.from_bytes(seed) % (ORDER - 1) + 1, ec.SECP256R1())


def public_key() -> str:
    """The site's public key as browsers ask for it (`applicationServerKey`)."""
    return encode(point_of(site_key()))


def signature_for(endpoint: str, now: datetime) -> str:
    """The Authorization header that tells a push service who sends (RFC 8292, 3)."""
    parts = urlsplit(endpoint)
    contact = settings.CSRF_TRUSTED_ORIGINS[0] if settings.CSRF_TRUSTED_ORIGINS else "mailto:nobody@localhost"
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int((now + LASTS).timestamp()), "sub": contact}
    signed = b".".join(encode(json.dumps(part).encode()).encode() for part in ({"typ": "JWT", "alg": "ES256"}, claims))
    r, s = decode_dss_signature(site_key().sign(signed, ec.ECDSA(hashes.SHA256())))
    return f"vapid t={signed.decode()}.{encode(r.to_bytes(32) + s.to_bytes(32))}, k={public_key()}"


def point_of(key: ec.EllipticCurvePrivateKey) -> bytes:
    """The public half of a key, uncompressed (65 bytes)."""
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def encode(raw: bytes) -> str:
    """URL-safe base64 without padding."""
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    """Bytes of URL-safe base64, padded or not; ValueError for anything else."""
    return urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))
