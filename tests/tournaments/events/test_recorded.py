"""Events that another program recorded come in as finished events of ours, and what differs is said."""

import json
from decimal import Decimal

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command

from accounts.actors import SYSTEM
from journal.ledger.selectors import verify_stream
from journal.models import LedgerEntry
from rules_engine.errors import DomainError, TooMany
from tests.tournaments.bundles.test_event_files import assert_right
from tests.tournaments.events.test_replay import EVENTS, match, small
from tests.tournaments.factories import NOW, account
from tests.tournaments.web.visitors import browser, page
from tournaments.events.services import bringing_recorded
from tournaments.events.services.bringing_recorded import bring_recorded_event, is_recorded
from tournaments.events.services.events import reopen_tournament
from tournaments.models import Entry, Match, ResultReport, Role, Tournament

pytestmark = pytest.mark.django_db
REAL = sorted(EVENTS.glob("*.json"))
LATER = NOW.replace(year=2027)
SMALL = EVENTS / "topdeck-premodern-2025-01-25-016.json"


def brought(path):
    return bring_recorded_event(SYSTEM, path.read_bytes(), LATER)


def data_of(**changes):
    return json.dumps(small(**changes)).encode()


@pytest.mark.sampled(4)
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
def test_real_event_comes_in_whole_and_right(path):
    """Entries, rounds and results are the file's, the standings ours; a stranger's program finds all of it right."""
    file, recorded = json.loads(path.read_text("utf-8")), brought(path)
    tournament = recorded.tournament
    swiss = [round_ for round_ in file["rounds"] if round_["stage"] == "swiss"]
    assert tournament.state == Tournament.State.FINISHED
    assert {each.name for each in tournament.entries.all()} == {each["id"] for each in file["players"]}
    assert Match.objects.filter(round__stage__tournament=tournament).count() == sum(len(r["matches"]) for r in swiss)
    assert recorded.playoffs == len(file["rounds"]) - len(swiss)
    assert verify_stream(tournament.stream) == []
    assert_right(tournament)
    ranked = {each.what for each in recorded.differences}
    assert ranked <= {"rank"}  # points and percentages are the published ones; some ties are drawn otherwise


@pytest.mark.parametrize(
    ("column", "change", "told"),
    [
        ("points", lambda old: old + 1, "points"),
        ("rank", lambda old: old + 20, "rank"),
        ("omw", lambda old: 0.0, "omw"),
    ],
)
def test_each_difference_is_said(column, change, told):
    file = json.loads(SMALL.read_text("utf-8"))
    before = set(brought(SMALL).differences)
    line = file["official_standings"][3]
    line[column] = change(line[column])
    found = set(bring_recorded_event(SYSTEM, json.dumps(file).encode(), LATER).differences) - before
    assert {(each.player, each.what) for each in found} == {(line["player"], told)}
    (difference,) = found
    assert Decimal(difference.theirs) == Decimal(repr(line[column])) != Decimal(difference.ours)


def test_event_is_its_organisers_and_can_be_corrected():
    olive = account("olive")
    tournament = bring_recorded_event(olive, data_of(), NOW).tournament
    assert (tournament.visibility, tournament.created_by, tournament.is_brought) == ("unlisted", olive.user, False)
    assert Role.objects.filter(tournament=tournament, user=olive.user, name="organiser").exists()
    assert tournament.entries.get(name="Cem").entered_round == 2
    assert not tournament.entries.filter(state=Entry.State.WITHDRAWN).exists()
    assert reopen_tournament(olive, tournament, "a slip was misread", NOW).state == "running"


def test_same_file_is_one_event_of_its_organiser():
    first = bring_recorded_event(account("olive"), data_of(), NOW).tournament
    assert bring_recorded_event(account("olive"), data_of(), NOW).tournament == first
    assert bring_recorded_event(account("kit"), data_of(), NOW).tournament != first
    assert Tournament.objects.count() == 2


def test_no_time_of_the_event_lies_ahead():
    """An event of this very morning ended before it was brought."""
    event = {"id": "today", "name": "Today", "date": NOW.date().isoformat()}
    tournament = bring_recorded_event(SYSTEM, data_of(event=event), NOW).tournament
    assert tournament.finished_at <= NOW
    assert not LedgerEntry.objects.filter(stream=tournament.stream, at__gt=NOW).exists()


def official(**changes):
    line = {"player": "Ada", "rank": 1, "points": 6, "omw": 0.5, "gw": 0.5, "ogw": 0.5}
    return {"official_standings": [{**line, **changes}]}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"schema": "swiss-event/2"}', "schema"),
        (b"{", "JSON"),
        (data_of(event={"id": "x", "name": "x", "date": "2031-01-01"}), "lies ahead"),
        (data_of(players=[{"id": "Ada"}]), "does not stand"),
        (data_of(**official(player="Zed")), "not listed"),
        (data_of(**official(rank="first")), "no number"),
        (data_of(**official(points=-1)), "no number"),
        (data_of(**official(omw=float("nan"))), "no share"),
        (data_of(**official(omw=2)), "no share"),
        (data_of(rounds=[{"number": 1, "stage": "swiss", "matches": [match("Ada", "Ada", 2, 0)]}]), "exactly one seat"),
    ],
)
def test_bad_file_is_refused_with_the_reason_and_leaves_nothing(content, words):
    assert is_recorded(content)
    with pytest.raises(DomainError) as caught:
        bring_recorded_event(account("olive"), content, NOW)
    assert words in caught.value.message
    assert (Tournament.objects.exists(), ResultReport.objects.exists(), LedgerEntry.objects.exists()) == (False,) * 3


def test_an_account_brings_no_more_than_it_may(settings, monkeypatch):
    settings.EVENTS_A_DAY = 1
    bring_recorded_event(account("olive"), data_of(), NOW)
    other = data_of(event={"id": "other", "name": "Other", "date": "2020-01-02"})
    with pytest.raises(TooMany):
        bring_recorded_event(account("olive"), other, NOW)
    monkeypatch.setattr(bringing_recorded, "MAX_MATCHES", 3)
    with pytest.raises(DomainError) as caught:
        bring_recorded_event(account("kit"), other, NOW)
    assert caught.value.code == "file_too_large"
    assert bring_recorded_event(SYSTEM, other, NOW)  # the control: who runs the site may


def test_page_brings_it_and_says_what_differs():
    olive = browser(account("olive"))
    file = json.loads(SMALL.read_text("utf-8"))
    file["official_standings"][0]["points"] += 1
    file["rounds"].append({"number": 9, "stage": "playoff", "matches": []})
    upload = SimpleUploadedFile("event.json", json.dumps(file).encode())
    answer = olive.post("/bring/", {"upload": upload}, follow=True)
    slug = Tournament.objects.get().slug
    assert answer.redirect_chain == [(f"/e/{slug}/", 302)]
    words = answer.content.decode()
    assert "is played again from its file" in words
    assert f"{file['official_standings'][0]['player']}, points" in words
    assert "1 round of playoffs is left out" in words
    for path in ("standings/", "pairings/", "statistics/", "check/", "manage/", "manage/log/"):
        assert page(olive, f"/e/{slug}/{path}"), path
    assert "brought the event from a record" in page(olive, f"/e/{slug}/manage/log/")
    refused = olive.post("/bring/", {"upload": SimpleUploadedFile("event.json", b'{"schema": 1}')})
    assert "is not an event" in refused.content.decode()


def test_command_brings_it_and_says_what_differs(tmp_path, capsys):
    path = tmp_path / "event.json"
    file = json.loads(SMALL.read_text("utf-8"))
    file["official_standings"][0]["points"] += 1
    path.write_text(json.dumps(file))
    call_command("import_event", str(path))
    said = capsys.readouterr().out
    assert f"/e/{Tournament.objects.get().slug}/" in said
    assert f"differs: {file['official_standings'][0]['player']}, points" in said
    path.write_text("{}")
    with pytest.raises(CommandError, match="schema"):
        call_command("import_event", str(path))
