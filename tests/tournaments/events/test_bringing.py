"""A finished event brought in from its file: all of it as it was, or nothing; read by everybody, changed by nobody."""

import json
import random
from functools import cache
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import transaction

from accounts.actors import SYSTEM
from accounts.models import Person, User
from decks.models import DeckVersion
from decks.services.catalogues import load_catalogues
from journal.clock import database_now
from journal.ledger.selectors import verify_stream
from journal.models import LedgerEntry
from rules_engine.errors import DomainError, NotAllowed
from rules_engine.systems import get_system
from tests.refusals import refusal
from tests.tournaments.bundles.test_event_files import edited, finished, forged, of_a_team, parts, taken
from tests.tournaments.factories import NOW, account, entry, event, running
from tests.tournaments.structure.test_structure import cut, held, play_stage, swiss, top
from tests.tournaments.web.visitors import browser as client_of
from tournaments.bundles import bringing as files
from tournaments.bundles.keys import public_key
from tournaments.bundles.scopes import Scope
from tournaments.bundles.selectors import final_head_of, parts_of, standings_rows
from tournaments.bundles.services import canonical
from tournaments.decks.services.decks import register_deck
from tournaments.entries.services.attendance import drop_entry
from tournaments.entries.services.entries import sign_up
from tournaments.events.services import bringing
from tournaments.events.services.bringing import bring_event
from tournaments.events.services.events import reopen_tournament, start_tournament
from tournaments.management.demo import sample_decklist
from tournaments.models import BroughtFile, Entry, EntryMember, Match, Tournament
from tournaments.rounds.selectors.recomputed import Verdict, recompute_rounds

pytestmark = pytest.mark.django_db
KEPT = Path(__file__).parents[2] / "data" / "event_files"
"""Files as PostgreSQL and SQLite wrote them: releases to come read them too."""
FORGER = Ed25519PrivateKey.from_private_bytes(b"f" * 32)
FORGERS_KEY = FORGER.public_key().public_bytes_raw().hex()
NUMBERED_ANEW = ("id", "paired_without")
TRIES = 30


def with_decks():
    """A finished event whose decks are shown, one of them registered."""
    now = database_now()
    load_catalogues(now, [get_system("doom_pile")])
    tournament = event(2, self_sign_up=True, deck_publish=Tournament.DeckPublish.AFTER_END)
    sign_up(account("paula"), tournament, account("paula").person, now)
    register_deck(account("paula"), entry(tournament, "paula").members.get(), "Pile", sample_decklist(copies=3), now)
    start_tournament(account("olive"), tournament, now)
    play_stage(tournament)
    return finished(tournament)


def with_cut():
    """A finished event of three stages with a bye, a drop, a bracket and a match for third place."""
    tournament = held(7, swiss(2), swiss(1, carries_points=True), top(4, third_place=True))
    play_stage(tournament)
    drop_entry(account("olive"), entry(tournament, "Gus"), NOW)
    for _stage in range(2):
        cut(tournament)
        play_stage(tournament)
    return finished(tournament)


def under_way():
    """An event that is not finished."""
    return running(4)


@cache
def from_elsewhere(make=with_cut, scope=Scope.PUBLIC):
    """The file of an event of which this database then knows nothing."""
    with transaction.atomic():
        data = taken(make(), scope)
        transaction.set_rollback(True)
    return data


def told(tournament):
    """What the public file would say of an event here, but for its log and what is numbered anew."""
    found = {name: json.loads(canonical(value)) for name, value in parts_of(tournament, Scope.PUBLIC, database_now())}
    return {name: masked(value) for name, value in found.items() if not name.startswith("ledger")}


def masked(value):
    if isinstance(value, dict):
        return {key: masked(each) for key, each in value.items() if key not in NUMBERED_ANEW}
    return [masked(each) for each in value] if isinstance(value, list) else value


def counts():
    """How many rows there are of everything that a file is made into."""
    models = (Tournament, BroughtFile, Entry, EntryMember, Match, Person, User, DeckVersion, LedgerEntry)
    return [each.objects.count() for each in models]


NOT_RIGHT = ("bad_event_file", "newer_file", "file_too_large")
"""What a changed byte may be told: also in the version, or in the size that a part says it has."""


def refused(data, key=""):
    """The error with which a file is refused; nothing was changed by it."""
    before = counts()
    with pytest.raises(DomainError) as caught, transaction.atomic():
        bring_event(SYSTEM, data, NOW, key)
    assert counts() == before
    return caught.value.code


@pytest.mark.sqlite
@pytest.mark.parametrize("make", [with_decks, with_cut])
def test_event_is_here_as_it_was_there(make):
    data = from_elsewhere(make)
    brought = bring_event(SYSTEM, data, database_now())
    held_there = {name: json.loads(each) for name, each in parts(data).items() if name != "manifest.sig"}
    assert canonical(standings_rows(brought)) == parts(data)["standings.json"]
    assert told(brought) == {name: masked(held_there[name]) for name in told(brought)}
    assert final_head_of(brought).hash == held_there["ledger.json"]["hash"]
    assert [taken(brought, scope) for scope in Scope] == [data, data]
    assert verify_stream(brought.stream) == []
    assert not Person.objects.filter(memberships__tournament=brought).exclude(user=None).exists()


def test_each_member_of_a_team_has_the_own_deck_here():
    data = from_elsewhere(of_a_team)
    brought = bring_event(SYSTEM, data, database_now())
    members = EntryMember.objects.filter(tournament=brought, entry__name="Red").order_by("order")
    cards = [[[each.section, each.count, each.name] for each in one.deck_version.decklist.entries] for one in members]
    assert cards == [deck["cards"] for deck in json.loads(parts(data)["decks.json"])]
    assert len({member.deck_commitment for member in members}) == 2


def test_a_brought_event_names_the_members_of_its_teams(client):
    brought = bring_event(SYSTEM, from_elsewhere(of_a_team), database_now())
    assert "Red (Red A, Red B)" in client.get(f"/e/{brought.slug}/").content.decode()
    assert all(name in client.get(f"/e/{brought.slug}/decks/").content.decode() for name in ("Red A", "Red B"))


@pytest.mark.sqlite
@pytest.mark.parametrize("name", sorted(path.name for path in KEPT.glob("*.zip")))
def test_file_of_either_database_comes_into_both(name):
    data = (KEPT / name).read_bytes()
    key = json.loads(parts(data)["manifest.json"])["key"]
    brought = bring_event(SYSTEM, data, database_now(), key)
    assert canonical(standings_rows(brought)) == parts(data)["standings.json"]
    assert taken(brought, Scope.PUBLIC) == data


@pytest.mark.sqlite
def test_cut_flipped_edited_and_foreign_files_change_nothing(seed):
    data, rng = from_elsewhere(), random.Random(seed)
    for _ in range(TRIES):
        place = rng.randrange(len(data))
        assert refused(data[:place]) == "bad_event_file"
        flipped = data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :]
        assert refused(flipped) in NOT_RIGHT
        assert refused(edited(data, rng)) in NOT_RIGHT
    assert refused(forged(data, "event.json", lambda facts: facts.update(name="Another"))) == "bad_event_file"
    assert refused(data.replace(b"doomdesk-event/1 sha", b"doomdesk-event/2 sha")) == "newer_file"
    assert refused(from_elsewhere(with_cut, Scope.WHOLE)) == "whole_file"
    assert refused(from_elsewhere(under_way)) == "unfinished_event"
    assert refused(b"") == refused(b"PK") == "bad_event_file"
    bring_event(SYSTEM, data, NOW)  # the control: the file itself is right


def test_file_with_a_forgers_key_is_refused_by_what_it_says(monkeypatch):
    """Named by a site admin, a forger's key signs nothing that the rows do not bear out."""
    data = from_elsewhere(with_decks)
    for name, change in (
        ("standings.json", lambda lines: lines[0].update(points=99)),
        ("event.json", lambda facts: facts.update(name="x" * 121)),
        ("event.json", lambda facts: facts.update(game="chess")),
        ("event.json", lambda facts: facts.update(time_zone="Moon")),
        ("entries.json", lambda entries: entries[0].pop("members")),
    ):
        assert refused(forged(data, name, change), FORGERS_KEY) in ("bad_event_file", "unknown_game")
    lie = forged(data, "standings.json", lambda lines: lines[0].update(points=99))
    monkeypatch.setitem(files._verifier(), "verify", lambda data, key: files._verifier()["Report"]())
    assert refused(lie, FORGERS_KEY) == "bad_event_file"  # the second guard
    monkeypatch.setattr(bringing, "standings_rows", lambda _event: json.loads(parts(lie)["standings.json"]))
    bring_event(SYSTEM, lie, NOW, FORGERS_KEY)  # the control


def test_only_a_site_admin_names_another_key():
    data = forged(from_elsewhere(), "event.json", lambda facts: facts.update(name="Another"))
    with pytest.raises(NotAllowed):
        bring_event(account("olive"), data, NOW, FORGERS_KEY)
    root = account("root")
    User.objects.filter(pk=root.user.pk).update(is_staff=True)
    root.user.refresh_from_db()
    assert bring_event(root, data, NOW, FORGERS_KEY).name == "Another"


def test_event_that_is_here_is_only_taken_where_its_log_is_the_same(monkeypatch):
    data = from_elsewhere()
    brought = bring_event(SYSTEM, data, NOW)
    assert bring_event(SYSTEM, data, NOW) == brought
    own = with_decks()
    before, known = counts(), taken(own, Scope.PUBLIC)
    assert bring_event(SYSTEM, known, NOW) == own
    assert counts() == before
    reopen_tournament(account("olive"), own, "again", NOW)
    assert refused(known) == "event_exists"
    with transaction.atomic():
        assert counts() != before
        BroughtFile.objects.update(head="0" * 64)
        assert refused(data) == "event_exists"
        transaction.set_rollback(True)


def test_fault_on_the_way_leaves_nothing(monkeypatch):
    data = from_elsewhere()
    monkeypatch.setattr(bringing, "log_act", lambda *args: 1 // 0)
    before = counts()
    with pytest.raises(ZeroDivisionError):
        bring_event(SYSTEM, data, NOW)
    assert counts() == before


def test_nobody_changes_a_brought_event():
    brought = bring_event(account("olive"), from_elsewhere(), NOW)
    assert refusal(reopen_tournament, account("olive"), brought, "again", NOW) == "brought_event"
    Tournament.objects.update(is_brought=False)
    reopen_tournament(account("olive"), brought, "again", NOW)  # the control


def test_rounds_of_a_brought_event_are_not_said_to_be_by_hand_or_wrong(client):
    """Its file holds neither seed nor input: nothing can be computed again, and nothing speaks against it."""
    brought = bring_event(account("olive"), from_elsewhere(), NOW)
    olive = client_of(account("olive"))
    for path in ("pairings/?round=1", "fairness/", "manage/rounds/"):
        assert "by hand" not in olive.get(f"/e/{brought.slug}/{path}").content.decode().casefold(), path
    assert "Proved: no pairing keeps the rules better." in client.get(f"/e/{brought.slug}/fairness/").content.decode()
    assert {each.verdict for each in recompute_rounds(brought)} == {Verdict.BY_HAND}
    call_command("verify_pairings", "--all", "--json")
    Tournament.objects.update(is_brought=False)
    with pytest.raises(CommandError):  # the control
        call_command("verify_pairings", "--all", "--json")


def test_page_of_a_brought_event_offers_no_act_that_is_refused():
    brought = bring_event(account("olive"), from_elsewhere(), NOW)
    olive, base = client_of(account("olive")), f"/e/{brought.slug}/manage/"
    page = olive.get(base).content.decode()
    assert "/manage/reopen/" not in page
    assert "/manage/rehearse/" not in page
    assert "/manage/copy/" in page
    assert "came in as a file" in page
    acts = ("announcements", "tables", "settings", "stages", "staff", "webhooks")
    pages_of_acts = [f"{base}{each}/" for each in acts]
    assert [each for each in pages_of_acts if f'href="{each}"' in page] == []
    Tournament.objects.update(is_brought=False)  # the control
    assert [each for each in pages_of_acts if f'href="{each}"' not in olive.get(base).content.decode()] == []
    Tournament.objects.update(is_brought=True)
    for path in ("entries/", "entries/1/"):
        assert "/manage/entries/1/link/" not in olive.get(base + path).content.decode(), path


def test_page_brings_an_event_and_tells_why_not(client):
    data = from_elsewhere(with_decks)
    assert client.get("/bring/").status_code == 302
    olive = client_of(account("olive"))
    page = olive.get("/bring/").content.decode()
    assert 'name="upload"' in page
    assert 'name="key"' not in page
    answer = olive.post("/bring/", {"upload": SimpleUploadedFile("event.zip", data[:-1])})
    assert "its end is cut off" in answer.content.decode()
    answer = olive.post("/bring/", {"upload": SimpleUploadedFile("event.zip", data)}, follow=True)
    slug = Tournament.objects.get().slug
    assert answer.redirect_chain == [(f"/e/{slug}/", 302)]
    assert "its players are guests" in answer.content.decode()
    for path in ("standings/", "pairings/", "statistics/", "decks/", "check/", "manage/", "manage/log/"):
        assert olive.get(f"/e/{slug}/{path}").status_code == 200, path
    number = EntryMember.objects.exclude(deck_version=None).get().entry.number
    assert client.get(f"/e/{slug}/decks/{number}/").status_code == 200
    assert client.get(f"/e/{slug}/event.zip").content == data


def test_command_brings_an_event_and_refuses_with_the_reason(tmp_path, capsys):
    data, path = from_elsewhere(), tmp_path / "event.zip"
    path.write_bytes(data[:-1])
    with pytest.raises(CommandError, match="cut off"):
        call_command("import_event", str(path))
    path.write_bytes(data)
    call_command("import_event", str(path), "--key", public_key())
    assert Tournament.objects.get().slug in capsys.readouterr().out
