"""Addresses for other people's devices are never "localhost" where the machine has a better one."""

import pytest
from django.test import RequestFactory

from accounts.http.addresses import shared_address


@pytest.mark.parametrize(
    ("host", "public", "expected"),
    [
        ("localhost:8000", "http://192.0.2.7:8000", "http://192.0.2.7:8000/p/x/"),
        ("127.0.0.1:8000", "http://192.0.2.7:8000", "http://192.0.2.7:8000/p/x/"),
        ("[::1]:8000", "http://192.0.2.7:8000", "http://192.0.2.7:8000/p/x/"),
        ("localhost:8000", "", "http://localhost:8000/p/x/"),
        ("desk.example", "http://192.0.2.7:8000", "http://desk.example/p/x/"),
        ("192.0.2.9:8000", "http://192.0.2.7:8000", "http://192.0.2.9:8000/p/x/"),
    ],
)
def test_shared_address(host, public, expected, settings):
    settings.PUBLIC_ADDRESS, settings.ALLOWED_HOSTS = public, ["*"]
    assert shared_address(RequestFactory().get("/", headers={"host": host}), "/p/x/") == expected
