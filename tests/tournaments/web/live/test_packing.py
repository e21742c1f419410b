"""Kept pages are sent compressed, what many read compressed once, and say what they say to who takes no gzip."""

import gzip
import re
from collections.abc import Iterator

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.factories import account, name_of, next_round, running
from tests.tournaments.web.visitors import browser, guest, url
from tournaments.models import Tournament
from tournaments.web.live import marks, page_cache
from tournaments.web.live.marks import ANYBODY, CHUNK, Block, Page
from tournaments.web.live.packing import gzipped, packed

TAKES = {"accept-encoding": "gzip, br"}
FRESH = re.compile(
    rb'name="(?:csrfmiddlewaretoken|idempotency_key)" value="[^"]*|<time[^>]*>[^<]*|data-etag="[^"]*|\d\d:\d\d:\d\d'
)
TEXTS = st.binary(max_size=40)


@given(st.lists(TEXTS, max_size=6))
def test_pieces_are_one_file(texts):
    assert gzip.decompress(gzipped([packed(text) for text in texts])) == b"".join(texts)


@given(st.data())
def test_a_block_says_the_same_in_chunks_wherever_something_of_one_player_stands(data):
    html = bytes(range(256)) * data.draw(st.sampled_from([0, 1, 63, 64, 65, 128, 140]))
    place = st.integers(0, len(html)) | st.sampled_from([each for each in (0, CHUNK, len(html)) if each <= len(html)])
    own = {entry: data.draw(st.lists(st.tuples(place, TEXTS), max_size=3)) for entry in (ANYBODY, 7)}
    block = Block(html, own)
    page, fresh = Page(("token", (block, 7), b"x" * 2000, (block, None), b"y"), ""), {"token": lambda: "secret"}
    for _again in range(2):
        assert gzip.decompress(page.filled_as_gzip(fresh)) == page.filled(fresh)
        assert page.filled(fresh) == b"secret" + block.seen_by(7) + b"x" * 2000 + html + b"y"


@pytest.fixture
def nothing_kept() -> Iterator[None]:
    """Pages as a fresh process finds them."""
    page_cache.forget_pages()
    yield
    page_cache.forget_pages()


@pytest.fixture
def compressed(monkeypatch) -> list[int]:
    """The sizes of what was compressed, in order."""
    sizes: list[int] = []

    def noted(text: bytes) -> object:
        sizes.append(len(text))
        return packed(text)

    monkeypatch.setattr(marks, "packed", noted)
    return sizes


def event_of(players: int) -> Tournament:
    held = running(players)
    next_round(held)
    return held


@pytest.mark.django_db
@pytest.mark.sqlite
@pytest.mark.usefixtures("nothing_kept")
def test_pages_say_the_same_compressed_to_visitors_players_and_staff():
    held = event_of(30)
    player, staff = guest(held, name_of(1)), browser(account("olive"))
    for client, more in ((Client(), ["wall/"]), (player, ["my/"]), (staff, ["wall/"])):
        for path in ("", "pairings/", "standings/", *more):
            plain = client.get(url(held, path))
            assert plain.status_code == 200
            sent = client.get(url(held, path), headers=TAKES)
            assert sent["Content-Encoding"] == "gzip"
            assert "Accept-Encoding" in sent["Vary"]
            assert FRESH.sub(b"", gzip.decompress(sent.content)) == FRESH.sub(b"", plain.content), path


@pytest.mark.django_db
@pytest.mark.usefixtures("nothing_kept")
def test_a_list_is_compressed_once_for_all_its_readers(compressed):
    """Each reader adds the frame of their page and the chunk with their own line; a second look adds what is short."""
    held = event_of(150)
    readers = [guest(held, name_of(number)) for number in range(3)]
    first, second, third = (added(compressed, reader, held) for reader in readers)
    assert first > 30_000
    assert second < first - 15_000
    assert third < first - 15_000
    again = added(compressed, readers[0], held)
    assert again < CHUNK + 6_000


def added(compressed: list[int], reader: Client, held: Tournament) -> int:
    """Bytes that were compressed for one look at the pairings."""
    compressed.clear()
    assert reader.get(url(held, "pairings/"), headers=TAKES).status_code == 200
    return sum(compressed)


@pytest.mark.django_db
@pytest.mark.usefixtures("nothing_kept")
def test_control_without_what_was_kept_each_reader_has_the_whole_list_compressed(compressed, monkeypatch):
    held = event_of(150)
    readers = [guest(held, name_of(number)) for number in range(2)]
    first = added(compressed, readers[0], held)
    monkeypatch.setattr(Block, "packed_for", lambda block, entry: iter([marks.packed(block.seen_by(entry))]))
    assert added(compressed, readers[1], held) > first - 15_000


@pytest.mark.django_db
@pytest.mark.usefixtures("nothing_kept")
def test_tokens_are_new_in_every_answer_and_lengths_differ_at_random():
    held = event_of(4)
    client = guest(held, name_of(1))
    answers = [client.get(url(held, "my/"), headers=TAKES).content for _look in range(12)]
    tokens = {re.search(rb'csrfmiddlewaretoken" value="([^"]+)"', gzip.decompress(each))[1] for each in answers}
    assert len(tokens) == len(answers)
    assert len({len(each) for each in answers}) > 4
