"""Two events alike, of two organisers who have nothing to do with each other; the second one is private."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db.models import ForeignKey, Model, Q, QuerySet

from accounts.actors import ANONYMOUS
from accounts.models import Person
from decks.models import Deck, HouseFormat
from decks.services.house_formats import make_house_format
from journal.clock import database_now
from journal.models import LedgerEntry
from tests.tournaments.factories import account, draft, score
from tournaments.core.rounds import matches_of
from tournaments.decks.services.decks import register_deck
from tournaments.decks.services.reopening import reopen_deck
from tournaments.entries.services.desk_entries import issue_entry_link
from tournaments.entries.services.door import claim_entry, open_door
from tournaments.entries.services.entries import EntryDraft, register_walk_ins, sign_up
from tournaments.entries.services.pairing_constraints import award_byes, keep_apart
from tournaments.events.services.events import create_tournament, open_registration, start_tournament
from tournaments.events.services.staff import accept_invite, invite_staff
from tournaments.leagues.services import LeagueDraft, add_league_event, create_league, tell_player_apart
from tournaments.management.demo import sample_decklist
from tournaments.models import JudgeCall, League, Role, Round, Tournament
from tournaments.penalties.services import give_penalty
from tournaments.results.services.client_codes import create_client_code
from tournaments.results.services.reports import report_result
from tournaments.room.services.announcements import post_announcement, withdraw_announcement
from tournaments.room.services.calls import call_judge
from tournaments.rounds.services.rounds import pair_next_round, publish_round
from tournaments.table_access.services import issue_codes
from tournaments.webhooks.services import create_webhook

ACTORS = {"created_by", "issued_by", "linked_by", "requested_by", "announced_by", "accepted_by", "judge", "user"}
"""Foreign keys to who did something: what they do elsewhere belongs there."""


def owning_keys(model: type[Model]) -> Iterator[tuple[str, type[Model]]]:
    """The foreign keys by which a row belongs to another: name and model."""
    for key in model._meta.fields:
        if isinstance(key, ForeignKey) and key.name not in ACTORS:
            yield key.name, key.related_model


def came_to(model: type[Model], rows: Mapping[Any, Collection[Any]]) -> QuerySet[Any]:
    """The rows of a model that are or belong to one of these rows, by any of its foreign keys."""
    ways = [(name, rows[owner]) for name, owner in (("pk", model), *owning_keys(model)) if rows.get(owner)]
    return model._default_manager.filter(reduce(or_, (Q(**{f"{name}__in": keys}) for name, keys in ways), Q(pk__in=[])))


@dataclass(frozen=True)
class Held:
    """An event in its second round with one of everything, its league, and its organiser's format."""

    organiser: str
    player: str
    tournament: Tournament
    league: League
    house: HouseFormat

    @cached_property
    def rows(self) -> Mapping[Any, Collection[Any]]:
        """The keys of all rows that are the event's, its players' or its organiser's, by model."""
        people = Person.objects.filter(memberships__entry__tournament=self.tournament)
        found: dict[Any, set[Any]] = {
            Tournament: {self.tournament.pk}, League: {self.league.pk}, HouseFormat: {self.house.pk},
            Person: {*people.values_list("pk", flat=True)},
        }  # fmt: skip
        size = 0
        while size < (size := sum(map(len, found.values()))):
            for model in apps.get_models():
                found.setdefault(model, set()).update(came_to(model, found).values_list("pk", flat=True))
        return {model: keys for model, keys in found.items() if keys}

    def stored(self) -> list[object]:
        """All that is stored of it, rows that came to it since included, and how long its logs are."""
        streams = (self.tournament.stream, self.league.stream)
        told: list[object] = [LedgerEntry.objects.filter(stream__in=streams).count()]
        for model in apps.get_models():
            told.append((model._meta.label, sorted(map(repr, came_to(model, self.rows).values_list()))))
        return told

    @cached_property
    def ids(self) -> dict[str, Any]:
        """What addresses, queries and bodies may hold, by the names that routes give them and some of ours."""
        event = self.tournament
        second = Round.objects.get(stage__tournament=event, number=2)
        player, guest = event.entries.get(members__person__user__username=self.player), event.entries.get(number=2)
        waiting = second.matches.get(seats__entry=player)
        none = "none"
        return {
            "slug": event.slug, "league": self.league.slug, "number": player.number, "place": 1, "stage": 1,
            "match_id": waiting.pk, "round_id": second.pk, "event_id": event.pk,
            "deck_id": self.deck.public_id,
            "role_id": event.roles.latest("pk").pk, "invite_id": event.invites.get(accepted_at=None).pk,
            "penalty_id": event.penalties.get().pk, "call_id": event.judge_calls.get().pk,
            "announcement_id": event.announcements.get(withdrawn_at=None).pk, "webhook_id": event.webhooks.get().pk,
            "claim_id": event.door_codes.get().claims.get().pk, "replay_id": 1,
            "house_format": self.house.slug, "format_slug": self.house.slug,
            "game": event.game, "game_format": event.game_format, "token_id": "0", "list_id": 1, "recheck_id": none,
            "run_id": UUID(int=0), "job_id": UUID(int=0), "player_id": "unknown", "card_set": none, "key": none,
            "other": 3, "person": guest.members.get().person_id,
        }  # fmt: skip

    @property
    def deck(self) -> Deck:
        """The player's own."""
        return Deck.objects.get(owner__memberships__tournament=self.tournament)

    @cached_property
    def numbers(self) -> list[int]:
        """The keys of its rows that are numbers."""
        return sorted({key for keys in self.rows.values() for key in keys if isinstance(key, int)})

    @cached_property
    def names(self) -> list[str]:
        """What stands in addresses for it, its league, a deck and a format."""
        return [str(self.ids[name]) for name in ("slug", "league", "deck_id", "house_format")]


def hold(organiser: str, player: str, name: str, guests: int, **changes: object) -> Held:
    """Build one; every name at it begins with `name`. The player's number comes after those of the guests."""
    now, olive = database_now(), account(organiser)
    values = {"name": f"{name} Cup", "self_sign_up": True, "swiss_rounds": 4, **changes}
    tournament = open_registration(olive, create_tournament(olive, draft(**values), now, also_judge=True), now)
    drafts = [EntryDraft(f"{name} {number}", email=f"guest{number}@shop.test") for number in range(1, guests + 1)]
    register_walk_ins(olive, tournament, drafts, now)
    sign_up(account(player), tournament, account(player).person, now)
    _first, second, third, fourth, fifth, *_others, own = tournament.entries.order_by("number")
    register_deck(account(player), own.members.get(), f"{name} deck", sample_decklist(copies=3), now)
    claim_entry(ANONYMOUS, open_door(olive, tournament, now), second.members.get(), now)
    issue_entry_link(olive, third, now)
    keep_apart(olive, fourth, fifth, f"{name} knows", now)
    tournament = start_tournament(olive, tournament, now)
    for number in (1, 2):
        round_ = publish_round(olive, pair_next_round(olive, tournament, now, seed=number), now)
        others = [match for match in matches_of(round_) if own not in [seat.entry for seat in match.seats.all()]]
        mine = own.seats.get(round=round_).match
        for match in (mine, *others) if number == 1 else others[:1]:
            report_result(olive, match, score(2, 0), now)
    reopen_deck(olive, own.members.get(), 60, f"{name} tore it", now)
    award_byes(olive, own, [4], now)
    report_result(account(player), mine, score(2, 1), now)
    create_client_code(olive, others[1], now, seat=None)
    call_judge(olive, mine, JudgeCall.Kind.RULES, f"{name} asks", now)
    give_penalty(olive, second, "warning", f"{name} infraction", now, notes=f"{name} notes", match=None)
    withdraw_announcement(olive, post_announcement(olive, tournament, f"{name} is over", now), now)
    post_announcement(olive, tournament, f"{name} is open", now)
    issue_codes(olive, tournament, 1, 4, now)
    accept_invite(account(f"{player}_helps"), invite_staff(olive, tournament, Role.Name.SCOREKEEPER, now), now)
    invite_staff(olive, tournament, Role.Name.JUDGE, now)
    create_webhook(olive, tournament, "signed", "https://hooks.shop.test/", [], now)
    visibility = str(changes.get("visibility", Tournament.Visibility.PUBLIC))
    league = create_league(olive, LeagueDraft(f"{name} season", (3, 1), visibility=visibility), now)
    add_league_event(olive, league, tournament, now)
    tell_player_apart(olive, league, second.members.get().person, now)
    house = make_house_format(olive, "doom_pile", "standard", "Short decks", {"copies": 2}, now.date(), now)
    return Held(organiser, player, tournament, league, house)
