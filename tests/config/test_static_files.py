"""Static files on both kinds of server: read without blocking on the asynchronous one, and without its warning."""

import warnings

import pytest
from django.contrib.staticfiles import finders

from tests.coroutines import run_coroutine


@pytest.fixture(autouse=True)
def _found(settings):
    settings.WHITENOISE_USE_FINDERS = True
    settings.WHITENOISE_AUTOREFRESH = True


async def _read(client, path: str) -> bytes:
    answer = await client.get(path)
    assert answer.is_async
    return b"".join([piece async for piece in answer.streaming_content])


def test_the_asynchronous_server_reads_a_file_in_pieces_without_a_warning(async_client):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = run_coroutine(_read(async_client, "/static/base.css"))
    with open(finders.find("base.css"), "rb") as file:
        assert found == file.read()


def test_the_synchronous_server_hands_out_the_same_file(client):
    answer = client.get("/static/base.css")
    assert not answer.is_async
    with open(finders.find("base.css"), "rb") as file:
        assert answer.getvalue() == file.read()
