"""A small event to look at on a fresh laptop: nine invented players, one round done, the next one being played."""

from datetime import datetime, timedelta

from accounts.actors import SYSTEM, Actor
from accounts.identity.services import create_account, hold_account, person_of
from accounts.models import User
from journal.transactions import in_transaction
from rules_engine.systems import get_system
from scoring.standings.results import MatchResult, ResultKind
from tournaments.core.rounds import matches_of
from tournaments.decks.services.decks import register_deck
from tournaments.entries.services.entries import EntryDraft, register_walk_ins
from tournaments.events.services.event_drafts import EventDraft
from tournaments.events.services.events import create_tournament, open_registration, start_tournament
from tournaments.models import EntryMember, Tournament
from tournaments.results.services.reports import report_result
from tournaments.rounds.services.rounds import pair_next_round, publish_round

NAME = "Demo: Lantern Street Doom Pile"
PEOPLE = (
    ("Ada Lindqvist", "Lantern Street"), ("Ben Kowalski", ""), ("Cem Aydın", "North Pier"), ("Dora Petit", ""),
    ("Emil Brandt", "Lantern Street"), ("Fay O'Hara", "North Pier"), ("Gus Novák", ""), ("Hana Mori", ""),
    ("Ivo Castellanos-Montenegro", ""),
)  # fmt: skip
SCORES = ((2, 0), (2, 1), (1, 2), (0, 2))
SEED = 20260101


@in_transaction
def create_first_site(name: str, password: str, now: datetime) -> User:
    """The first account of a site, an organiser's, and its demo event: both or none. Nobody knows the password yet."""
    user = create_account(name, password, SYSTEM, now, site_admin=True)
    hold_account(user, SYSTEM, now)
    create_demo(Actor(user, person_of(user, now), "command"), now)
    return user


@in_transaction
def create_demo(actor: Actor, now: datetime) -> Tournament:
    """The demo event, run by the actor, who also judges; two decks are registered, one of them illegal."""
    draft = EventDraft(
        name=NAME,
        place="The shop's back room",
        starts_at=now - timedelta(hours=1),
        game="doom_pile",
        game_format="standard",
        deck_deadline=now + timedelta(days=1),
    )
    tournament = open_registration(actor, create_tournament(actor, draft, now, also_judge=True), now)
    register_walk_ins(actor, tournament, [EntryDraft(name, club) for name, club in PEOPLE], now)
    legal, illegal = EntryMember.objects.filter(tournament=tournament).order_by("entry__number")[:2]
    register_deck(actor, legal, "Bell, book and bribe", sample_decklist(copies=3), now)
    register_deck(actor, illegal, "Four of a kind", sample_decklist(copies=4), now)
    tournament = start_tournament(actor, tournament, now)
    for number in (1, 2):
        _play(actor, tournament, number, now)
    return tournament


def sample_decklist(*, copies: int) -> str:
    """Thirty cards of the sample set, so many of each, and a Master Plan; legal with three."""
    system = get_system("doom_pile")
    listed = {name for card_list in system.get_format("standard").card_lists for name in card_list.limits}
    cards = [card for card in system.shipped_cards if card.name.casefold() not in listed]
    plan = next(card.name for card in cards if card.type == "Master Plan")
    names = [card.name for card in cards if card.type != "Master Plan"]
    lines, missing = [], 30
    for name in names:
        lines.append(f"{min(copies, missing)} {name}")
        missing -= copies
        if missing <= 0:
            break
    return "\n".join([*lines, "", "Master Plan:", plan])


def _play(actor: Actor, tournament: Tournament, number: int, now: datetime) -> None:
    """Pair and publish a round; of the second one, two tables are still playing."""
    round_ = publish_round(actor, pair_next_round(actor, tournament, now, seed=SEED + number), now)
    tables = [match for match in matches_of(round_) if match.table_number]
    for match, won in zip(tables if number == 1 else tables[:2], SCORES, strict=False):
        report_result(actor, match, MatchResult(ResultKind.PLAYED, won), now)
