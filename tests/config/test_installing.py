"""What a phone needs to install the site: a manifest with icons that are there, a worker before every page."""

import json
import struct
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

pytestmark = pytest.mark.django_db


def test_manifest_names_icons_of_the_size_they_have(client):
    answer = client.get("/manifest.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    content = json.loads(answer.content)
    assert (content["start_url"], content["scope"], content["display"]) == ("/my/", "/", "standalone")
    for icon in content["icons"]:
        path = Path(finders.find(icon["src"].removeprefix("/static/")))
        if path.suffix == ".png":
            width, height = struct.unpack(">II", path.read_bytes()[16:24])
            assert icon["sizes"] == f"{width}x{height}"
    assert "maskable" in [icon.get("purpose") for icon in content["icons"]]


def test_worker_is_served_from_the_root_and_never_from_a_cache(client):
    answer = client.get("/sw.js")
    assert answer["Content-Type"].startswith("text/javascript")
    assert answer["Cache-Control"] == "no-cache"
    assert b"X-Keep" in answer.content


def test_pages_link_the_manifest_and_only_the_own_match_may_be_kept(client):
    answer = client.get("/")
    assert 'href="/manifest.webmanifest"' in answer.content.decode()
    assert "X-Keep" not in answer
