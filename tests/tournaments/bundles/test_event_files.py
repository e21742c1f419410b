"""Event files: what they hold, for whom, and that a stranger's program agrees with this site and finds every edit."""

import hashlib
import io
import json
import random
import runpy
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client

from decks.services.catalogues import load_catalogues
from journal.clock import database_now
from journal.ledger.selectors import head_of
from rules_engine.systems import get_system, list_systems
from scoring.standings.presets import PRESETS
from tests.tournaments.entries.test_teams import team_event
from tests.tournaments.factories import NOW, account, entry, event, next_round, report_all, running, score, table
from tests.tournaments.privacy.test_erase import over as ended
from tests.tournaments.structure.test_structure import DOUBLE, ROBIN, SINGLE, cut, held, play, play_stage, swiss, top
from tournaments.bundles import log_parts, selectors, services
from tournaments.bundles.bringing import read_event_file
from tournaments.bundles.keys import public_key
from tournaments.bundles.scopes import Scope
from tournaments.bundles.services import _comment, canonical, event_file, file_bytes
from tournaments.core.rounds import current_round, matches_of
from tournaments.decks.selectors.deck_commitments import CommitmentState, commitments_of
from tournaments.decks.services.decks import register_deck
from tournaments.entries.services.attendance import drop_entry
from tournaments.entries.services.entries import EntryDraft, register_walk_ins, sign_up
from tournaments.entries.services.members import remove_member
from tournaments.entries.services.pairing_constraints import fix_table, keep_apart
from tournaments.events.selectors.events import Step, next_step
from tournaments.events.services.events import finish_tournament, start_tournament
from tournaments.management.demo import sample_decklist
from tournaments.models import Match, Stage, Tournament
from tournaments.results.services.reports import report_result
from tournaments.room.services.calls import call_judge
from tournaments.rounds.services.rounds import (
    ManualPairing,
    enter_pairings,
    pair_next_round,
    publish_round,
    withdraw_round,
)
from tournaments.structure.services.stages import set_stages

pytestmark = pytest.mark.django_db
VERIFIER = runpy.run_path(str(Path(settings.BASE_DIR) / "docs/verify/verify_event.py"))
verify = VERIFIER["verify"]


def taken(tournament, scope=Scope.WHOLE):
    """The bytes of an event file."""
    with event_file(tournament, scope) as file:
        return file.read()


def parts(data):
    """What a file holds, by name."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(contents, key=None, *, signed=False):
    """A file of these parts as a forger makes it: every digest is right, the signature is not, or is by another key.

    `signed`: the site's list of digests and its signature are left as they were.
    """
    manifest = json.loads(contents["manifest.json"])
    named = {name: content for name, content in contents.items() if not name.startswith("manifest.")}
    if not signed:
        manifest["files"] = {name: hashlib.sha256(content).hexdigest() for name, content in named.items()}
    signature = contents["manifest.sig"]
    if key is not None:
        manifest["key"] = key.public_key().public_bytes_raw().hex()
        signature = f"{key.sign(canonical(manifest)).hex()}\n".encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.comment = _comment("0" * 64)
        for name, content in {**named, "manifest.json": canonical(manifest), "manifest.sig": signature}.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    data = out.getvalue()[: -len(archive.comment)]
    return data + _comment(hashlib.sha256(data).hexdigest())


def wrong(data, key=None):
    return [line for line in verify(data, key).lines if line["result"] not in ("right", "open")]


def assert_right(tournament):
    """Both files of an event are right by the stranger's program, which checked what there is to check."""
    tournament.refresh_from_db()
    for scope in Scope:
        report = verify(taken(tournament, scope), public_key())
        assert report.ok, [line for line in report.lines if line["result"] not in ("right", "open")]
        done = {line["check"] for line in report.lines if line["result"] == "right"}
        assert {"digests", "signature", "standings"} <= done
        assert ("contents" in done) == (scope is Scope.WHOLE)


def finished(tournament):
    return finish_tournament(account("olive"), tournament, NOW)


@pytest.mark.sqlite
@pytest.mark.parametrize("game", [system.slug for system in list_systems()])
def test_event_of_every_game_is_right_by_a_strangers_program(game):
    way = get_system(game).ways[0]
    stage = swiss(4) if way.tables is None else swiss(4, kind=Stage.Kind.TABLES)
    tournament = held(11, stage, game=game, game_format=way.format, way=way.slug, best_of=None)
    for number in range(4):
        round_ = next_round(tournament)
        need = tournament.match_length.wins_needed
        report_all(round_, *((need, 0) if number % 2 else (0, need)))
        if number == 1:
            assert_right(tournament)
            drop_entry(account("olive"), entry(tournament, "Fay"), NOW)
    finished(tournament)
    assert_right(tournament)


@pytest.mark.parametrize("key", sorted(PRESETS))
def test_standings_of_every_preset_are_computed_alike(key):
    tournament = event(9, game_format="standard")
    policy = PRESETS[key].policy.as_dict()
    Tournament.objects.filter(pk=tournament.pk).update(policy=policy)
    tournament.refresh_from_db()
    start_tournament(account("olive"), tournament, NOW)
    Tournament.objects.filter(pk=tournament.pk).update(policy=policy)
    tournament.refresh_from_db()
    play(tournament)
    play(tournament, wins=max)
    drop_entry(account("olive"), entry(tournament, "Gus"), NOW)
    play(tournament)
    report = verify(taken(tournament), public_key())
    standings = [line for line in report.lines if line["check"] == "standings"]
    assert [line["result"] for line in standings] == ["right"], standings


@pytest.mark.parametrize(
    "drafts",
    [
        (swiss(3), top(4)), (swiss(3), top(4, third_place=True)),
        (swiss(3), top(6, kind=Stage.Kind.DOUBLE_ELIMINATION)),
        (ROBIN,), (DOUBLE,), (swiss(2), swiss(2, carries_points=True, qualify="top", qualify_value=4)),
        (swiss(2), swiss(2, qualify="top", qualify_value=4)),
    ],
    ids=["cut", "third place", "double", "round robin", "double alone", "points go on", "points start again"],
)  # fmt: skip
def test_stages_and_brackets_are_right(drafts):
    tournament = held(7, *drafts)
    play_stage(tournament)
    for _stage in drafts[1:]:
        cut(tournament)
        play_stage(tournament)
    finished(tournament)
    assert_right(tournament)


def each_moment(tournament, wins):
    """The event as it stands, then after every pairing and every single result until there is nothing left to play."""
    yield tournament
    while next_step(tournament).step is Step.PAIR:
        round_ = next_round(tournament)
        yield tournament
        for match in (each for each in matches_of(round_) if each.state == Match.State.OPEN):
            won = wins(match)
            report_result(account("olive"), match, score(2 * (won == 0), 2 * (won == 1)), NOW)
            yield tournament


def by_losers(match):
    """The first seat wins, but whoever comes from the losers' bracket wins the first grand final."""
    return int(match.bracket.startswith("F1"))


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_double_elimination_is_never_wrong_while_it_is_played(players, seed):
    rng = random.Random(seed)
    tournament = held(players, replace(DOUBLE, bracket_reset=rng.random() < 0.7))
    for _ in each_moment(tournament, lambda match: rng.randrange(2)):
        assert not wrong(taken(tournament, Scope.PUBLIC), public_key())
    finished(tournament)
    assert_right(tournament)


@pytest.mark.parametrize("bracket", ["F1", "F2"])
def test_double_elimination_finished_early_can_be_brought(bracket):
    """The hall closes before the grand final, or before its reset: the order of who is left is not computed."""
    tournament = held(4, replace(DOUBLE, bracket_reset=True))
    moments = each_moment(tournament, by_losers)
    while not Match.objects.filter(round__stage__tournament=tournament, bracket__startswith=bracket).exists():
        next(moments)
    withdraw_round(account("olive"), current_round(tournament), "the hall closes", NOW)
    tournament = finish_tournament(account("olive"), tournament, NOW, early="the hall closes")
    read = read_event_file(taken(tournament, Scope.PUBLIC), public_key())
    assert read.facts["state"] == Tournament.State.FINISHED


@pytest.mark.parametrize("draft", [SINGLE, DOUBLE])
def test_event_that_begins_with_a_bracket_is_right_before_its_first_round(draft):
    tournament, olive = event(4), account("olive")
    set_stages(olive, tournament, [draft], NOW)
    assert_right(tournament)
    start_tournament(olive, tournament, NOW)
    assert_right(tournament)
    withdraw_round(olive, next_round(tournament), "somebody is late", NOW)
    assert_right(tournament)


@pytest.fixture
def over():
    """The public and the whole file of an event of three rounds with a cut, as the site wrote them."""
    tournament = held(8, swiss(2), top(2))
    play_stage(tournament)
    cut(tournament)
    play_stage(tournament)
    finished(tournament)
    return tournament


def changed(value, rng):
    """The same with one number, word or list element changed somewhere inside."""
    spots = []

    def walk(inside, way):
        for key, each in inside.items() if isinstance(inside, dict) else enumerate(inside):
            if isinstance(each, dict | list) and each:
                walk(each, (*way, key))
            else:
                spots.append((*way, key))

    walk(value, ())
    if not spots:
        return [value]
    *way, last = rng.choice(spots)
    inside = value
    for key in way:
        inside = inside[key]
    was = inside[last]
    inside[last] = not was if isinstance(was, bool) else was + 1 if isinstance(was, int) else f"{was}x"
    return value


def edited(data, rng):
    """One edit of a file: a value, a part left out, a byte, the end cut off.

    Digests are put right where one can, for a third of the values that of the whole file alone.
    """
    kind = rng.choice(["value", "value", "signed", "part", "byte", "byte", "cut"])
    if kind == "byte":
        place, bit = rng.randrange(len(data)), 1 << rng.randrange(8)
        return data[:place] + bytes([data[place] ^ bit]) + data[place + 1 :]
    if kind == "cut":
        return data[: rng.randrange(len(data))]
    contents = parts(data)
    name = rng.choice([name for name in contents if not name.startswith("manifest.")])
    if kind == "part":
        del contents[name]
    else:
        contents[name] = canonical(changed(json.loads(contents[name]), rng))
    return zipped(contents, signed=kind == "signed")


@pytest.mark.parametrize("scope", list(Scope))
def test_every_edit_is_found(over, scope, seed, many):
    data, rng = taken(over, scope), random.Random(seed)
    assert not wrong(data, public_key())
    assert not wrong(data)
    missed = [number for number in range(many(500, 200)) if not wrong(edited(data, rng))]
    assert missed == []


def test_without_its_digests_an_edit_would_pass(over, monkeypatch, seed):
    """The control: flipped bytes of the archive's own fields are found by the digest at the end alone."""
    data = taken(over, Scope.PUBLIC)
    monkeypatch.setitem(VERIFIER["read_file"].__globals__, "hashlib", Careless())
    place = data.index(b"PK\x01\x02") + 38  # external attributes, which nothing else covers
    assert not wrong(data[:place] + b"\x01" + data[place + 1 :])


class Careless:
    """Digests of whole files that always fit; others are right."""

    def __getattr__(self, name):
        return getattr(hashlib, name)

    def sha256(self, content=b""):
        found = hashlib.sha256(content)
        return Fitting() if content[:2] == b"PK" else found


class Fitting:
    """A digest that is whatever the file says."""

    def hexdigest(self):
        return AnyText()


class AnyText(str):
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    __hash__ = str.__hash__


FORGER = Ed25519PrivateKey.from_private_bytes(b"f" * 32)


def forged(data, name, change):
    """A file in which a part was changed, signed by a key of the forger's own: only its contents can give it away."""
    contents = parts(data)
    value = json.loads(contents[name])
    change(value)
    contents[name] = canonical(value)
    return zipped(contents, FORGER)


def first_round(data):
    return next(name for name in parts(data) if name.startswith("rounds/01"))


def swap_winner(round_):
    one, other = round_["matches"][0]["report"]["seats"]
    for name in ("outcome", "games_won"):
        one[name], other[name] = other[name], one[name]


FORGERIES = {
    "winner": (None, swap_winner, {"contents", "results", "standings", "round 2: stated cost", "round 2: input"}),
    "twice in a round": (
        None, lambda each: each["matches"][1]["seats"].__setitem__(0, each["matches"][0]["seats"][0]), {"round 1"},
    ),
    "a cost": (None, lambda each: each["cost"].update(rematches=1), {"round 1: stated cost", "round 1: input"}),
    "a rank": ("standings.json", lambda lines: lines[0].update(rank=2), {"standings"}),
    "a value": ("standings.json", lambda lines: lines[0]["values"].update(omw="1/7"), {"standings"}),
    "an act": ("ledger/0000001.json", lambda acts: acts[4].update(act="entry.returned"), {"log"}),
    "an act gone": ("ledger/0000001.json", lambda acts: acts.pop(4), {"log"}),
    "the end of the log": ("ledger/0000001.json", lambda acts: acts.pop(), {"log"}),
    "a stored row": (
        "contents/report-0000000.json", lambda rows: next(iter(rows.values())).__setitem__(3, "no_show"), {"contents"},
    ),
    "a tiebreaker nobody knows": (
        "event.json", lambda facts: facts["policy"]["tiebreakers"].append("coin"), {"standings"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGERIES)
def test_forgery_with_a_key_of_its_own_is_found_by_what_it_says(over, name):
    part, change, checks = FORGERIES[name]
    data = taken(over)
    found = wrong(forged(data, part or first_round(data), change))
    assert checks & {line["check"] for line in found}, found
    assert not wrong(forged(data, "event.json", lambda facts: facts.update(name="Another")))  # the control
    assert wrong(forged(data, "event.json", lambda facts: facts.update(name="Another")), public_key())
    if name == "a tiebreaker nobody knows":
        assert "coin" in found[0]["detail"]


def test_public_file_of_a_running_event_holds_what_visitors_are_shown(monkeypatch):
    """Two worlds, in one of which a round is paired, a result waits and two are kept apart, give the same bytes."""
    olive, tournament = account("olive"), event(2)
    for name in ("paula", "quinn"):
        sign_up(account(name), tournament, account(name).person, NOW)
    start_tournament(olive, tournament, NOW)
    ada, ben, paula, quinn = (entry(tournament, name) for name in ("Ada", "Ben", "paula", "quinn"))
    pairs = [ManualPairing(ada, ben), ManualPairing(paula, quinn)]
    round_ = publish_round(olive, enter_pairings(olive, tournament, pairs, NOW), NOW)
    before = {scope: taken(tournament, scope) for scope in Scope}
    keep_apart(olive, ada, paula, "family", NOW)
    fix_table(olive, ada, 77, NOW)
    match = table(round_, 2)
    report_result(account("paula"), match, score(2, 1), NOW, seat=match.seats.get(order=1))
    match.refresh_from_db()
    assert match.state == Match.State.REPORTED
    assert taken(tournament, Scope.PUBLIC) == before[Scope.PUBLIC]
    assert taken(tournament, Scope.WHOLE) != before[Scope.WHOLE]
    monkeypatch.setattr(selectors, "OVER", tuple(Tournament.State))
    assert taken(tournament, Scope.PUBLIC) != before[Scope.PUBLIC]  # the control


def test_round_not_published_is_in_the_organisers_file_alone():
    tournament = running(4)
    before = taken(tournament, Scope.PUBLIC)
    pair_next_round(account("olive"), tournament, NOW, seed=1)
    assert taken(tournament, Scope.PUBLIC) == before
    assert any(name.startswith("rounds/") for name in parts(taken(tournament)))


def test_calls_for_a_judge_are_in_the_organisers_file_alone_without_their_notes():
    round_ = next_round(running(4))
    call_judge(account("olive"), table(round_), "rules", "they argue about the weather", NOW)
    tournament = round_.stage.tournament
    (call,) = json.loads(parts(taken(tournament))["calls.json"])
    assert (call["match"], call["entry"], call["kind"], call["state"]) == (table(round_).pk, None, "rules", "open")
    assert not any(b"weather" in each for each in parts(taken(tournament)).values())
    assert "calls.json" not in parts(taken(tournament, Scope.PUBLIC))


def test_decks_are_sealed_until_everybody_is_shown_them(monkeypatch):
    """No file holds a card or a salt before the event ends, nor the log's entries about decks; afterwards all do."""
    now = database_now()
    load_catalogues(now, [get_system("doom_pile")])
    tournament = event(1, self_sign_up=True, deck_publish=Tournament.DeckPublish.AFTER_END)
    sign_up(account("paula"), tournament, account("paula").person, now)
    member = entry(tournament, "paula").members.get()
    register_deck(account("paula"), member, "Secret name", sample_decklist(copies=3), now)
    assert json.loads(parts(taken(tournament))["decks.json"]) == []
    start_tournament(account("olive"), tournament, now)
    member.refresh_from_db()
    card = member.deck_version.decklist.entries[0].name
    for scope in Scope:
        told = b"".join(parts(taken(tournament, scope)).values()).decode()
        assert member.deck_commitment in told
        assert not any(secret in told for secret in (card, member.deck_salt, "Secret name", "deck.registered"))
    play_stage(tournament)
    finished(tournament)
    assert_right(tournament)
    assert card in parts(taken(tournament, Scope.PUBLIC))["decks.json"].decode()
    data = forged(taken(tournament), "decks.json", lambda decks: decks[0]["cards"][0].__setitem__(1, 1))
    assert {line["check"] for line in wrong(data)} == {"decks"}
    Tournament.objects.update(decks_published_at=None)
    monkeypatch.setattr(log_parts, "OF_DECKS", ("nothing.",))
    assert b"deck.registered" in b"".join(parts(taken(tournament)).values())  # the control


def of_a_team(leaves=""):
    """An event that is over, in which both members of the first entry registered a deck; or one with a third before.

    That one, whose name is `leaves`, registered a deck too and was then taken out.
    """
    load_catalogues(NOW, [get_system("doomtrooper")])
    teams = {"Red": ["Red A", "Red B"], "Blue": ["Blue A", "Blue B"]}
    if leaves:
        teams["Red"].insert(0, leaves)
    tournament = team_event([EntryDraft(name, members=tuple(members)) for name, members in teams.items()])
    Tournament.objects.update(deck_publish=Tournament.DeckPublish.AFTER_END)
    names = sorted(card.name for card in get_system("doomtrooper").shipped_cards)
    for place, member in enumerate(entry(tournament, "Red").members.all()):
        text = "\n".join(f"5 {name}" for name in names[place * 12 : place * 12 + 12])
        register_deck(account("olive"), member, "", text, NOW)
    if leaves:
        remove_member(account("olive"), entry(tournament, "Red"), 1, leaves, NOW)
    ended(start_tournament(account("olive"), tournament, NOW))
    tournament.refresh_from_db()
    return tournament


TEAM_EDITS = (
    lambda decks: decks[1].pop("member"),
    lambda decks: decks[1].__setitem__("member", 3),
    lambda decks: decks[1]["cards"][0].__setitem__(1, 1),
    lambda decks: (decks[0].__setitem__("member", 2), decks[1].__setitem__("member", 1)),
)


def test_each_deck_of_a_team_is_held_against_its_own_registration():
    tournament = of_a_team()
    assert_right(tournament)
    whole = taken(tournament)
    decks = json.loads(parts(whole)["decks.json"])
    assert [(deck["entry"], deck.get("member")) for deck in decks] == [(1, None), (1, 2)]
    for edit in TEAM_EDITS:
        assert any(line["check"].startswith("decks") for line in wrong(forged(whole, "decks.json", edit)))


def test_decks_of_members_who_moved_up_are_held_against_their_new_places():
    tournament = of_a_team(leaves="Red Z")
    assert_right(tournament)
    whole = parts(taken(tournament))
    assert json.loads(whole["entries.json"])[0]["members"] == ["Red A", "Red B"]
    assert {each.state for each in commitments_of(tournament)} == {CommitmentState.WHOLE}


def test_same_state_gives_the_same_bytes_and_names_stay_text():
    tournament = event(2)
    register_walk_ins(account("olive"), tournament, [EntryDraft("Łukasz “=1+1”")], NOW)
    start_tournament(account("olive"), tournament, NOW)
    assert taken(tournament) == taken(tournament)
    assert "Łukasz “=1+1”" in json.loads(parts(taken(tournament))["entries.json"])[2]["name"]


def test_command_writes_the_file_and_refuses_an_unknown_event(over, tmp_path):
    path = tmp_path / "event.zip"
    call_command("export_event", over.slug, str(path), "--scope", "public")
    assert path.read_bytes() == taken(over, Scope.PUBLIC)
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(CommandError):
        call_command("export_event", "no-such-event", str(path))
    with pytest.raises(CommandError, match=r"not-there/event\.zip"):
        call_command("export_event", over.slug, str(tmp_path / "not-there/event.zip"))


def test_program_runs_by_itself_and_tells_by_its_exit_code(over, tmp_path):
    path = tmp_path / "event.zip"
    program = Path(settings.BASE_DIR) / "docs/verify/verify_event.py"
    for data, code, words in ((taken(over), 0, "is right"), (taken(over)[:-1], 1, "WRONG")):
        path.write_bytes(data)
        command = [sys.executable, "-I", program, path, "--key", public_key()]
        run = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert (run.returncode, words in run.stdout) == (code, True), run
    run = subprocess.run([*command[:4], "--json"], capture_output=True, text=True, timeout=60)
    assert json.loads(run.stdout)["ok"] is False


def test_signatures_are_those_of_rfc_8032(seed):
    """Against `cryptography`: what it signs is taken, and nothing with another bit anywhere."""
    rng, is_signed = random.Random(seed), VERIFIER["is_signed"]
    for _ in range(5):
        key, message = Ed25519PrivateKey.from_private_bytes(rng.randbytes(32)), rng.randbytes(rng.randrange(80))
        public, signature = key.public_key().public_bytes_raw(), key.sign(message)
        assert is_signed(public, message, signature)
        flipped = bytearray(signature)
        flipped[rng.randrange(64)] ^= 1 << rng.randrange(8)
        assert not is_signed(public, message, bytes(flipped))
        assert not is_signed(public, message + b"x", signature)


def test_visitors_find_the_check_and_only_organisers_the_whole(over):
    nobody = Client()
    for path in ("", "pairings/", "standings/", "bracket/"):
        assert f"/e/{over.slug}/check/" in nobody.get(f"/e/{over.slug}/{path}").content.decode()
    page = nobody.get(f"/e/{over.slug}/check/").content.decode()
    program = nobody.get("/verify/verify_event.py").content
    assert hashlib.sha256(program).hexdigest() in page
    assert nobody.get("/verify/key.json").json()["key"] in page
    assert nobody.get(f"/e/{over.slug}/event.zip").content == taken(over, Scope.PUBLIC)
    assert nobody.get(f"/api/v1/events/{over.slug}/file/").content == taken(over, Scope.PUBLIC)
    olive = Client()
    olive.force_login(account("olive").user)
    for client, path in ((nobody, "standings/"), (olive, "print/standings/")):
        assert head_of(over.stream).hash in client.get(f"/e/{over.slug}/{path}").getvalue().decode()
    for path in (f"/e/{over.slug}/manage/event.zip", f"/api/v1/events/{over.slug}/file/whole/"):
        assert nobody.get(path).status_code in (302, 401, 403)
        assert olive.get(path).content == taken(over)


def test_public_file_is_kept_until_the_next_act(monkeypatch):
    tournament = running(4)
    cache.clear()
    first = file_bytes(tournament, Scope.PUBLIC)
    round_ = next_round(tournament)
    second = file_bytes(tournament, Scope.PUBLIC)
    report_all(round_)
    third = file_bytes(tournament, Scope.PUBLIC)
    assert len({first, second, third}) == 3
    monkeypatch.setattr(services, "event_file", None)
    assert file_bytes(tournament, Scope.PUBLIC) == third
    with pytest.raises(TypeError):
        file_bytes(tournament, Scope.WHOLE)
