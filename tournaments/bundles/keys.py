"""The key that signs event files for this site: like the key of Web Push, it follows from SECRET_KEY."""

from functools import cache

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


@cache
def _site_key() -> Ed25519PrivateKey:
    seed = HKDF(hashes.SHA256(), 32, b"doomdesk", b"event files").derive(settings.SECRET_KEY.encode())
    return Ed25519PrivateKey.from_private_bytes(seed)


def public_key() -> str:
    """The site's public key (RFC 8032), 32 bytes in hexadecimal."""
    return _site_key().public_key().public_bytes_raw().hex()


def sign(message: bytes) -> str:
    """The site's Ed25519 signature of a message, 64 bytes in hexadecimal."""
    return _site_key().sign(message).hex()
