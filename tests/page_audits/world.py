"""`python -m tests.page_audits.world FILE`: fills an empty database with events to look at, writes their ids to FILE.

It works in a process of its own, on the settings that the site will have, through the services as people do.
"""

import json
import sys
from datetime import timedelta
from pathlib import Path
from random import Random
from types import SimpleNamespace
from zoneinfo import available_timezones

import django

django.setup()

from tests.decks.owners import save_deck_version  # noqa: E402
from tests.tournaments import factories  # noqa: E402

factories.NOW = django.utils.timezone.now().replace(microsecond=0) - timedelta(minutes=20)
"""The cast acts twenty minutes ago, so that clocks run and links hold."""

from django.core import signing  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import setup_test_environment, teardown_test_environment  # noqa: E402

from accounts.actors import ANONYMOUS, Actor  # noqa: E402
from accounts.identity.keys import issue_api_token  # noqa: E402
from accounts.identity.services import issue_personal_link, issue_reset_link, set_profile_shown  # noqa: E402
from accounts.models import Person, User  # noqa: E402
from accounts.notifications.messages import mail_token  # noqa: E402
from decks.models import Card, CardSet, Deck  # noqa: E402
from decks.services.card_lists import ListDraft, draft_list  # noqa: E402
from decks.services.catalogues import load_catalogues  # noqa: E402
from decks.services.house_formats import make_house_format  # noqa: E402
from decks.services.rechecks import start_recheck  # noqa: E402
from rules_engine.systems import list_systems  # noqa: E402
from scoring.sheets.services import open_sheet  # noqa: E402
from tests.journeys.played_tables import LEFT_OUT, USUAL, Table, as_form  # noqa: E402
from tests.page_audits.states import seldom_seen  # noqa: E402
from tests.scoring.tallies.ledgers import lawful_ledger  # noqa: E402
from tests.tournaments import sheet_acts as sheets  # noqa: E402
from tests.tournaments.factories import account, draft, next_round, score, staff, table  # noqa: E402
from tournaments.core.rounds import matches_of  # noqa: E402
from tournaments.decks.services.deck_checks import record_check  # noqa: E402
from tournaments.decks.services.deck_ready import mark_deck_ready  # noqa: E402
from tournaments.decks.services.decks import register_deck  # noqa: E402
from tournaments.entries.selectors.door import claim_token, door_token  # noqa: E402
from tournaments.entries.selectors.teams import SALT  # noqa: E402
from tournaments.entries.services.attendance import check_in_entry, drop_entry  # noqa: E402
from tournaments.entries.services.door import claim_entry, open_door  # noqa: E402
from tournaments.entries.services.entries import EntryDraft, register_walk_ins  # noqa: E402
from tournaments.entries.services.pairing_constraints import award_byes, fix_table, keep_apart, note_needs  # noqa: E402
from tournaments.events.services.events import (  # noqa: E402
    create_tournament,
    finish_tournament,
    open_registration,
    start_tournament,
)
from tournaments.events.services.staff import invite_staff  # noqa: E402
from tournaments.forecast.services import show_outlook  # noqa: E402
from tournaments.leagues.services import LeagueDraft, add_league_event, create_league  # noqa: E402
from tournaments.management.demo import sample_decklist  # noqa: E402
from tournaments.models import (  # noqa: E402
    Announcement,
    EntryMember,
    League,
    Match,
    Penalty,
    Round,
    Tournament,
    Webhook,
)
from tournaments.penalties.services import give_penalty  # noqa: E402
from tournaments.rehearsals.services import play_open_matches, rehearse  # noqa: E402
from tournaments.results.services.reports import report_result  # noqa: E402
from tournaments.room.services.announcements import post_announcement  # noqa: E402
from tournaments.room.services.calls import call_judge, claim_call  # noqa: E402
from tournaments.room.services.clocks import give_extra_time, start_clock  # noqa: E402
from tournaments.rounds.services.rounds import pair_next_round  # noqa: E402
from tournaments.structure.services.stage_drafts import StageDraft  # noqa: E402
from tournaments.structure.services.stages import set_stages  # noqa: E402
from tournaments.table_access.services import issue_codes  # noqa: E402
from tournaments.webhooks.services import create_webhook  # noqa: E402

NOW = factories.NOW
LONG = "Maximiliane Auguste Wilhelmine von Hohenstein-Ravensburg zu Lichtenfels"
UNBROKEN = "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch"
PEOPLE = (
    "Ada Lindqvist", "Ben Kowalski", "Cem Aydın", "Dora Petit", "Emil Brandt", "Fay O'Hara", "Gus Novák", "Hana Mori",
    "Ivo Castellanos-Montenegro", "Jo Li", "Kaja Øverland", "Liv Andersson", "Maximiliane von Hohenstein-Ravensburg",
    "Nora Haddad", "Omar Benali", "Pia Ščerbić",
)  # fmt: skip
SCORES = ((2, 0), (2, 1), (1, 2), (0, 2), (2, 0), (1, 1), (0, 2), (2, 1))


def new_event(
    people: list[str] | tuple[str, ...], *, stages: tuple[StageDraft, ...] = (), **said: object
) -> Tournament:
    """Olive's event, open, with these people and stages."""
    olive = account("olive")
    said = {"starts_at": NOW, "time_zone": "Europe/Berlin", **said}
    tournament = open_registration(olive, create_tournament(olive, draft(**said), NOW, also_judge=True), NOW)
    if stages:
        set_stages(olive, tournament, stages, NOW)
    if people:
        register_walk_ins(olive, tournament, [EntryDraft(name, "Lantern Street") for name in people], NOW)
    return tournament


def begin(tournament: Tournament) -> Tournament:
    return start_tournament(account("olive"), tournament, NOW)


def play(round_: Round, most: int = 999) -> None:
    """Staff report so many tables, with all kinds of scores."""
    for at, match in enumerate(matches_of(round_)):
        if match.table_number and at < most:
            drawn = {(1, 1): 1}.get(SCORES[at % len(SCORES)], 0)
            report_result(account("olive"), match, score(*SCORES[at % len(SCORES)], drawn=drawn), NOW)


def seated(match: Match) -> list[Actor]:
    """Who plays there, by personal link."""
    return [Actor(None, seat.member.person, "link") for seat in match.seats.order_by("order")]


def room() -> Tournament:
    """A Doom Pile event of sixteen in round 3, with everything that happens in a room."""
    tournament = new_event(
        PEOPLE, name="Autumn Doom Cup", place="Lantern Hall, Leipzig", stacking_minutes=10, round_minutes=50,
        swiss_rounds=4, table_reports="agreed", door_tables="1-2",
        no_show_game_minutes=5, no_show_match_minutes=10,
    )  # fmt: skip
    members = EntryMember.objects.filter(tournament=tournament).order_by("entry__number")
    for number, member in enumerate(members):
        register_deck(
            account("olive"),
            member,
            f"Pile of {member.entry.name}",
            sample_decklist(copies=4 if number == 3 else 3),
            NOW,
        )
    staff(tournament, "juno", "judge")
    staff(tournament, "kit", "scorekeeper")
    invite_staff(account("olive"), tournament, "judge", NOW)
    olive, entries = account("olive"), [member.entry for member in members]
    fix_table(olive, entries[4], 3, NOW)
    keep_apart(olive, entries[5], entries[6], "family", NOW)
    award_byes(olive, entries[7], [4], NOW)
    begin(tournament)
    for number in (1, 2):
        play(next_round(tournament, number))
    show_outlook(olive, tournament, NOW, shows=True)
    give_penalty(account("juno"), entries[2], "warning", "Slow play", NOW, notes="Asked twice to go on.")
    drop_entry(olive, entries[15], NOW)
    round_ = next_round(tournament, 3)
    live_round(tournament, round_)
    for number, needs in ((1, ["door"]), (5, ["door", "quiet", "large_print"])):
        note_needs(olive, table(round_, number).seats.get(order=1).entry, needs, 5 * number, NOW)
    record_check(account("juno"), members[1], "problem", "One card too many.", NOW)
    return tournament


def live_round(tournament: Tournament, round_: Round) -> None:
    """Round 3: two stored, one waits for the opponent, one is disputed, the others play; two call a judge."""
    play(round_, 2)
    third, fourth, fifth, sixth = (table(round_, number) for number in (3, 4, 5, 6))
    for match, order, games in ((third, 1, (2, 1)), (fourth, 1, (2, 0)), (fourth, 2, (1, 2))):
        report_result(seated(match)[order - 1], match, score(*games), NOW, seat=match.seats.get(order=order))
    mark_deck_ready(seated(fifth)[0], fifth.seats.get(order=1), 1, NOW)
    call_judge(seated(fifth)[0], fifth, "rules", "May I look through my pile?", NOW)
    claim_call(account("juno"), call_judge(seated(sixth)[0], sixth, "missing", "", NOW), NOW)
    start_clock(account("olive"), round_, NOW)
    give_extra_time(account("juno"), fifth, 300, "a long look at the rules", NOW)
    post_announcement(account("olive"), tournament, "The hall closes at 22:00; soup is served after this round.", NOW)
    post_announcement(account("olive"), tournament, "Round 4 begins ten minutes late.", NOW, is_urgent=True)


def small_events() -> dict[str, Tournament]:
    """Events of other games and of other kinds of stages."""
    olive = account("olive")
    doomlings = sheets.doomlings(13, name="Doomlings evening", sheet_options={"strategic_start": True})
    match = sheets.opened(sheets.played(doomlings))
    sheets.write(match, 31, 27, 44)
    filed = sheets.opened(sheets.played(doomlings, 2))
    sheets.write(filed, 44, 27, 44, 30)
    sheets.file(filed, 2)
    sheets.work()
    trooper = new_event(
        PEOPLE[:4], name="Doomtrooper classic", game="doomtrooper", game_format="second-edition", best_of=1,
        score_sheets=True,
    )  # fmt: skip
    sheets.opened(table(next_round(begin(trooper))))
    dead = new_event(
        PEOPLE[:6], name="Dead or Destroyed night", game="dead_or_destroyed", game_format="standard", score_sheets=True
    )
    sheets.opened(table(next_round(begin(dead))))
    bracket = begin(new_event(PEOPLE[:8], name="Knock-out", stages=(StageDraft("single", third_place=True),)))
    play(next_round(bracket), 4)
    next_round(bracket)
    robin = begin(new_event(PEOPLE[:5], name="Round robin", stages=(StageDraft("round_robin"),)))
    play(next_round(robin))
    next_round(robin)
    waiting = new_event(
        PEOPLE[:5],
        name="Winter Doom Cup",
        check_in=True,
        capacity=32,
        way="best-of-3",
        best_of=1,
        clock_warnings=(20, 5),
    )
    check_in_entry(olive, waiting.entries.first(), NOW)
    done = new_event(PEOPLE[:6], name="Summer Doom Cup", deck_publish="after_end", swiss_rounds=3)
    for member in EntryMember.objects.filter(tournament=done):
        register_deck(olive, member, f"Pile of {member.entry.name}", sample_decklist(copies=3), NOW)
    begin(done)
    for number in (1, 2, 3):
        play(next_round(done, number))
    done = finish_tournament(olive, done, NOW)
    cut = begin(new_event(PEOPLE[:8], name="Before the cut", stages=(
        StageDraft(planned_rounds=1), StageDraft("single", qualify="top", qualify_value=4))))  # fmt: skip
    play(next_round(cut))
    teams = new_event((), name="Teams", game="doomtrooper", game_format="second-edition", best_of=1, self_sign_up=True,
                      sheet_options={"mode": "teams"})  # fmt: skip
    register_walk_ins(
        olive, teams, [EntryDraft("Red", members=PEOPLE[:2]), EntryDraft("Blue", members=PEOPLE[2:4])], NOW
    )
    paired = begin(new_event(PEOPLE[:8], name="Not yet published"))
    pair_next_round(olive, paired, NOW, seed=1)
    stacking = begin(new_event(PEOPLE[:4], name="Stacking", stacking_minutes=10, table_reports="agreed"))
    next_round(stacking)
    found = {"doomlings": doomlings, "trooper": trooper, "dead": dead, "bracket": bracket, "robin": robin}
    return {
        **found,
        "stacking": stacking,
        "cut": cut,
        "teams": teams,
        "waiting": waiting,
        "done": done,
        "paired": paired,
    }


def sizes() -> dict[str, Tournament]:
    """Events with nobody, one, three hundred, and names that hardly fit."""
    olive = account("olive")
    none = create_tournament(olive, draft(name="Nobody yet", starts_at=NOW), NOW)
    one = new_event(PEOPLE[:1], name="One alone")
    many = begin(new_event([f"{PEOPLE[at % 16]} {at}" for at in range(300)], name="Three hundred"))
    play(next_round(many), 90)
    long = begin(
        new_event(
            [LONG, UNBROKEN, f"{LONG} the Younger", f"{UNBROKEN} 2", "Bo"],
            name=f"The 25th open championship of the Lantern Street Doom Pile Society, {UNBROKEN[:48]}",
        )
    )
    play(next_round(long), 1)
    return {"none": none, "one": one, "many": many, "long": long}


def cookies() -> dict[str, str]:
    """Sessions of the people who look, by name; players come by personal link."""
    people = {name: Client() for name in ("olive", "juno", "kit", "root", "mallory", "pia")}
    for name, client in people.items():
        client.force_login(
            User.objects.get(username=name), backend="allauth.account.auth_backends.AuthenticationBackend"
        )
    return {name: client.cookies["sessionid"].value for name, client in people.items()}


def by_link(member: EntryMember) -> str:
    """The session of a player who opened a personal link."""
    client = Client()
    client.get(f"/p/{issue_personal_link(member.person, account('olive'), NOW)}/", HTTP_HOST="localhost")
    return client.cookies["sessionid"].value


def member_at(match: Match, order: int = 1) -> EntryMember:
    return match.seats.get(order=order).member


def build() -> SimpleNamespace:
    """Everything; answers ids of pages' addresses and sessions."""
    load_catalogues(NOW)
    User.objects.create_superuser("root")
    account("mallory")
    olive, root = account("olive"), account("root")
    at_room = room()
    events = {"room": at_room, **small_events(), **sizes()}
    events["rehearsal"] = rehearse(olive, events["waiting"], 12, 3, NOW)
    next_round(events["rehearsal"])
    play_open_matches(olive, events["rehearsal"], NOW, 4)
    league = create_league(olive, LeagueDraft("Lantern Street season", (5, 3, 1)), NOW)
    for name in ("done", "bracket", "room"):
        add_league_event(olive, league, events[name], NOW)
    under_way, phone = boards(olive)
    empty_league = create_league(olive, LeagueDraft("Next season", (3, 1)), NOW)
    at_seven = table(Round.objects.filter(stage__tournament=at_room).latest("number"), 7)
    seldom, looking = seldom_seen(olive, events, at_seven)
    return SimpleNamespace(
        values={**{name: tournament.slug for name, tournament in events.items()}, **others(at_room, events),
                "league": league.slug, "empty_league": empty_league.slug, **cards(olive, root), **under_way, **seldom},
        sessions={**cookies(), **players(events), "board": phone, **looking},
        words=words(),
    )  # fmt: skip


def words() -> list[str]:
    """Names and texts that people or the games gave: nobody translates them."""
    found = {
        *Card.objects.values_list("name", flat=True),
        *Person.objects.values_list("name", flat=True),
        *User.objects.values_list("username", flat=True),
        *Tournament.objects.values_list("name", flat=True),
        *League.objects.values_list("name", flat=True),
        *Deck.objects.values_list("name", flat=True),
        *CardSet.objects.values_list("name", flat=True),
        *Announcement.objects.values_list("text", flat=True),
        "Lantern Street", "Lantern Hall, Leipzig", "Slow play", "Asked twice to go on.", "One card too many.", "family",
        "May I look through my pile?", "a long look at the rules", "Shop format", "Next list", "Red", "Blue",
        "2 Ash Legder", "Bell Ringer", "Loose Plank",
        "Europe/Berlin", "ada@example.org", "fay@example.org", UNBROKEN[:40], *available_timezones(),
    }  # fmt: skip
    for system in list_systems():
        found |= {system.name, *(clause.id for clause in system.clauses)}
        found |= {clause.book for clause in system.clauses} | {clause.book_section for clause in system.clauses}
        for game_format in system.formats:
            found |= {game_format.name, *(each.name for each in (*game_format.variants, *game_format.card_lists))}
    return sorted(word for word in found if word)


def at_table(token: str) -> Client:
    """A phone that opened the code of a table."""
    phone = Client()
    phone.get(f"/t/{token}/", HTTP_HOST="localhost")
    return phone


def phones_at_tables(events: dict[str, Tournament]) -> dict[str, str]:
    """Sessions of phones that opened the code of a table, of some that said who holds them."""
    codes = {name: issue_codes(account("olive"), events[name], 1, 8, NOW) for name in ("room", "doomlings", "stacking")}
    found = {}
    for name, event, number, claimed in (
        ("at_table", "room", 7, 0), ("at_room", "room", 5, 1), ("at_reported", "room", 3, 1),
        ("at_lings", "doomlings", 1, 0), ("speaker", "doomlings", 1, 4), ("at_stacking", "stacking", 1, 1),
    ):  # fmt: skip
        phone = at_table(codes[event][number - 1].token)
        if claimed:
            match = table(Round.objects.filter(stage__tournament=events[event]).latest("number"), number)
            said = {"act": "claim", "match": match.pk, "seat": match.seats.get(order=claimed).pk}
            phone.post(f"/e/{events[event].slug}/table/", said, HTTP_HOST="localhost")
        found[name] = phone.cookies["sessionid"].value
    return found


def players(events: dict[str, Tournament]) -> dict[str, str]:
    """Players' sessions: at the room's tables with a rest to do, at the tables with sheets, at the done event."""
    round_ = Round.objects.filter(stage__tournament=events["room"]).latest("number")
    found = {f"player{number}": by_link(member_at(table(round_, number))) for number in (1, 3, 4, 5, 6, 7)}
    found["opponent3"] = by_link(member_at(table(round_, 3), 2))
    for name in ("doomlings", "trooper", "dead"):
        found[name] = by_link(member_at(sheets.played(events[name])))
    linked = Client()
    linked.force_login(account("lena").user, backend="allauth.account.auth_backends.AuthenticationBackend")
    member = EntryMember.objects.filter(tournament=events["done"]).order_by("pk").last()
    linked.get(f"/p/{issue_personal_link(member.person, account('olive'), NOW)}/", HTTP_HOST="localhost")
    found["linked"] = linked.cookies["sessionid"].value
    found |= phones_at_tables(events)
    for name, number in (("unchecked", 2), ("withdrawn", 3)):
        found[name] = by_link(EntryMember.objects.get(entry__number=number, tournament=events["waiting"]))
    drop_entry(account("olive"), events["waiting"].entries.get(number=3), NOW)
    found["stacking"] = by_link(member_at(sheets.played(events["stacking"])))
    found["filed"] = by_link(member_at(sheets.played(events["doomlings"], 2)))
    for name in ("waiting", "done", "long", "one"):
        found[name] = by_link(EntryMember.objects.filter(tournament=events[name]).first())
    return found


def others(tournament: Tournament, events: dict[str, Tournament]) -> dict[str, object]:
    """Ids inside the events."""
    make_tokens(tournament)
    make_webhooks(tournament)
    round_ = Round.objects.filter(stage__tournament=tournament).latest("number")
    matches = {f"match{number}": table(round_, number).pk for number in range(1, 8)}
    tables = {f"{name}_match": sheets.played(events[name]).pk for name in ("doomlings", "trooper", "dead")}
    return {
        "filed_match": sheets.played(events["doomlings"], 2).pk,
        "unopened_match": sheets.played(events["doomlings"], 3).pk,
        **matches,
        **tables,
        "seated5": member_at(table(round_, 5)).entry.number,
        "mail": mail_token(EntryMember.objects.first().person, "ada@example.org", wanted=False),
        "round": round_.pk,
        "doomlings_round": Round.objects.get(stage__tournament=events["doomlings"]).pk,
        "paired_round": Round.objects.get(stage__tournament=events["paired"]).pk,
        "penalty": Penalty.objects.get(tournament=tournament).pk,
        "invite": invite_staff(account("olive"), tournament, "scorekeeper", NOW),
        "profile": shown_profile(),
        **at_door(events["waiting"]),
        "team": signing.dumps(events["teams"].entries.first().pk, salt=SALT),
    }  # fmt: skip


def make_tokens(tournament: Tournament) -> None:
    """Two API tokens of olive."""
    olive = account("olive")
    for name, scope, event in (("Stream overlay", "read", tournament.slug), ("Desk app " + "x" * 80, "organise", "")):
        issue_api_token(olive.user, olive, NOW, name, scope, event, days=90)


def at_door(tournament: Tournament) -> dict[str, object]:
    """The code of an open door, and a player of the list who waits there for the staff's word."""
    code = open_door(account("olive"), tournament, NOW)
    member = EntryMember.objects.filter(tournament=tournament).last()
    claim = claim_entry(ANONYMOUS, code, member, django.utils.timezone.now())
    return {"door": door_token(code), "claim": claim_token(claim)}


def make_webhooks(tournament: Tournament) -> None:
    """A webhook that works, one that fails, one that was given up."""
    olive = account("olive")
    for kind, address in (("signed", "hooks.example/doom"), ("discord", "discord.com/1"), ("matrix", "m.example/2")):
        create_webhook(olive, tournament, kind, f"https://{address}", ["rounds", "results"], NOW)
    faults = {"discord": ("429", None), "matrix": ("TimeoutError", NOW)}
    for kind, (fault, stopped_at) in faults.items():
        failing = {"last_error": fault, "failing_since": NOW, "tries": 3, "stopped_at": stopped_at}
        Webhook.objects.filter(kind=kind).update(**failing)


def shown_profile() -> str:
    """Olive's own profile, shown to everybody."""
    olive = account("olive")
    set_profile_shown(olive.user, olive, NOW, shown=True)
    return str(olive.person.public_id)


def cards(olive: Actor, root: Actor) -> dict[str, object]:
    """A deck of Olive's, a house format, a card list with a re-check, a stand-alone sheet."""
    version = save_deck_version(
        olive.key, olive.person, "doom_pile", "standard", "Bells", sample_decklist(copies=4), NOW
    )
    house = make_house_format(olive, "doom_pile", "standard", "Shop format", {"copies": 2}, NOW.date(), NOW)
    said = ListDraft("doom_pile", "standard", "Next list", NOW.date() + timedelta(days=9), {"": {"ash ledger": 0}})
    card_list = draft_list(root, said, NOW)
    ledger = open_sheet(olive, "doomtrooper", [{"name": "Ada"}, {"name": "Ben"}], {}, NOW)
    lings = open_sheet(olive, "doomlings", [{"name": "Ada"}, {"name": "Ben"}, {"name": UNBROKEN[:40]}], {}, NOW)
    return {
        "deck": version.deck.public_id, "house": house.slug, "list": card_list.pk, "ledger": ledger.key,
        "lings": lings.key, "recheck": start_recheck(root, card_list, NOW).public_id,
        "reset": issue_reset_link(User.objects.get(username="mallory"), root, NOW),
    }  # fmt: skip


def boards(olive: Actor) -> tuple[dict[str, str], str]:
    """Sheets whose games are under way, by the same moves: their keys by game, and the phone that writes them."""
    setup_test_environment()  # a table reads what its page was drawn from
    phone, keys = Client(), {}
    for game in ("doom_pile", "dead_or_destroyed", "doomlings", "doomtrooper"):
        names = ["Ada", UNBROKEN[:40], *([] if game in ("doom_pile", "dead_or_destroyed") else ["Cem"])]
        sheet, chance = open_sheet(olive, game, [{"name": name} for name in names], {}, NOW), Random(5)
        root = f"/scores/{game}/{sheet.key}/"
        phone.post(f"{root}me/", {"place": "all"})
        board = Table(None, phone, chance, "", root, names, USUAL, 1, False, False, False)
        keys[f"{game}_board"] = sheet.key
        if game == "doomtrooper":
            for act in lawful_ledger(5, 25, names, USUAL)[0]["acts"]:
                board.note(**as_form(act, {name: name for name in names}))
            continue
        board.begin()
        while board.moves < 12 and not board.board.ending:
            offer = chance.choice([each for each in board.board.offers if each.act not in (*LEFT_OUT, "flip")])
            board.move(offer.act, **({"card": offer.card} if offer.card else {}), **board.drawn(offer))
    teardown_test_environment()
    return keys, phone.cookies["sessionid"].value


if __name__ == "__main__":
    world = build()
    Path(sys.argv[1]).write_text(json.dumps(vars(world), default=str), encoding="utf-8")
