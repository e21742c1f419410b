"""Decks at an event: one's own, those that are published, and those of players for judges."""

from typing import ClassVar

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from decks.api.serializers import ExportSerializer
from decks.api.views import export_of
from decks.models import DeckVersion
from rules_engine.errors import NotFound, needed
from tournaments.api.edge import EventViewSet
from tournaments.api.serializers.decks import (
    AllowDeckSerializer,
    AllowedDeckSerializer,
    AskedDeckExportSerializer,
    AskedMemberSerializer,
    CheckSerializer,
    CommittedDeck,
    CommittedDeckSerializer,
    DeckHistorySerializer,
    DeckSerializer,
    DrawnSerializer,
    HandedListsSerializer,
    NewCheckSerializer,
    NewStackOrderSerializer,
    PublishedDeckSerializer,
    ReadDeckSerializer,
    RegisterDeckSerializer,
    RegisteredDecksSerializer,
    ReopenDeckSerializer,
    ReopenedSerializer,
    ReplaceDeckSerializer,
    ShownDeck,
    StackPlanSerializer,
)
from tournaments.core.rounds import open_rounds, own_match
from tournaments.decks.selectors.deck_checks import checks_of, readings_of
from tournaments.decks.selectors.deck_view import deck_view, own_list
from tournaments.decks.selectors.decks import decks_are_locked, members_with_decks, newest_check
from tournaments.decks.selectors.registered import registrations_of
from tournaments.decks.selectors.stack_orders import StackPlan, stack_plan
from tournaments.decks.services import deck_checks, decks, reopening
from tournaments.decks.services.decks import RegisteredDeck
from tournaments.decks.services.shown_decks import read_shown_deck
from tournaments.decks.services.stack_orders import save_stack_order
from tournaments.entries.selectors.entries import entries_numbered, find_member
from tournaments.forecast.check_costs import check_costs
from tournaments.models import EntryMember
from tournaments.permissions import may_see_own_list


class DeckAudience(EventViewSet):
    """A resource whose answers show a deck: none is kept to be repeated to whoever lost the right to see it."""

    def answer_deck(self, deck: ShownDeck) -> Response:
        """The deck, shown this once."""
        return self.answer_secret(DeckSerializer, deck)

    def answer_registered(self, deck: RegisteredDeck) -> Response:
        """The deck as it was just registered."""
        commitment = deck.member.deck_commitment
        return self.answer_deck(ShownDeck(deck.version, deck.verdict, self.now, commitment, deck.notices))


class EventDecksViewSet(EventViewSet):
    """All registered decks of an event, hidden until the event's policy shows them; several registered by a judge."""

    resource = "event_decks"
    access_rules: ClassVar = {"list": "event.see", "register": "deck.read"}

    @extend_schema(responses=CommittedDeckSerializer(many=True))
    def list(self, request: Request, slug: str) -> Response:
        """Whose decks are registered, from the lock on with their commitments; nothing before the lock."""
        view, locked = deck_view(self.actor, self.event, self.now), decks_are_locked(self.event, self.now)
        members = members_with_decks(self.event) if locked or view.everybody else ()
        rows = [CommittedDeck(each, each.deck_commitment if locked else None, view.shows(each)) for each in members]
        return unindexed(self.answer_page(CommittedDeckSerializer, rows))

    @extend_schema(request=HandedListsSerializer, responses={201: RegisteredDecksSerializer})
    def register(self, request: Request, slug: str) -> Response:
        """Register decks for several players as a judge, all or none, also after the deadline; needs a reason."""
        values = self.read(HandedListsSerializer)
        numbers = {each["number"] for each in values["decks"]}
        entries = {each.number: each for each in entries_numbered(self.event, numbers)}
        lists = [
            decks.HandedList(find_member(entries[each["number"]], each["member"]), each["name"], each["text"])
            for each in values["decks"]
        ]
        registered = decks.replace_decks(self.actor, lists, values["reason"], self.now)
        return self.answer_secret(RegisteredDecksSerializer, {"decks": registered}, 201)


class OwnDeckViewSet(DeckAudience):
    """The caller's own deck at an event."""

    resource = "my_deck"
    access_rules: ClassVar = dict.fromkeys(("retrieve", "update", "history"), "deck.own")

    @extend_schema(responses=DeckSerializer)
    def retrieve(self, request: Request, slug: str) -> Response:
        """Your registered deck and the newest verdict on it."""
        member = self.own_member()
        return self.answer_deck(shown(member, own_list(self.actor, member)))

    @extend_schema(request=RegisterDeckSerializer, responses=DeckSerializer)
    def update(self, request: Request, slug: str) -> Response:
        """Register your deck until the deadline, as text or as one of your stored decks.

        An illegal one is registered too, with its verdict. After the deadline once more, if a judge reopened it.
        """
        values, member = self.read(RegisterDeckSerializer), self.own_member()
        if "deck" in values:
            return self.answer_registered(decks.register_stored_deck(self.actor, member, values["deck"], self.now))
        name, text = values.get("name", ""), values["text"]
        return self.answer_registered(decks.register_deck(self.actor, member, name, text, self.now))

    @extend_schema(responses=DeckHistorySerializer)
    def history(self, request: Request, slug: str) -> Response:
        """What you registered so far, and every reading of it by the staff."""
        member = self.own_member()
        registrations = [
            each for each in registrations_of(self.event, member) if may_see_own_list(self.actor, member, each.at)
        ]
        readings = readings_of(self.event, member)
        return self.answer(DeckHistorySerializer, {"registrations": registrations, "readings": readings})


class EntryDeckViewSet(DeckAudience):
    """The deck of an entry: for everybody it is shown to, and for judges."""

    resource = "entry_deck"
    access_rules: ClassVar = {
        **dict.fromkeys(("published", "export"), "event.see"),
        **dict.fromkeys(("look", "update", "check", "allow"), "deck.read"),
        **dict.fromkeys(("reopen", "shut"), "deck.reopen"),
    }
    queries: ClassVar = {
        **dict.fromkeys(access_rules, AskedMemberSerializer),
        "export": AskedDeckExportSerializer,
    }

    @extend_schema(responses=PublishedDeckSerializer)
    def published(self, request: Request, slug: str, number: int) -> Response:
        """A list once the event's policy shows it to you, with the salt of its commitment."""
        member, _deck = read_shown_deck(self.actor, self.event, number, self.now, self.query["member"])
        return unindexed(self.answer(PublishedDeckSerializer, member))

    @extend_schema(responses=ExportSerializer)
    def export(self, request: Request, slug: str, number: int) -> Response:
        """A list that the event's policy shows you, in another format (plain text by default)."""
        _owner, version = read_shown_deck(self.actor, self.event, number, self.now, self.query["member"])
        game, game_format, name = self.event.game, self.event.game_format, version.deck.name
        exported = export_of(version, self.query["format"], game, game_format, name)
        return unindexed(self.answer_secret(ExportSerializer, exported))

    @extend_schema(request=ReadDeckSerializer, responses=DeckSerializer)
    def look(self, request: Request, slug: str, number: int) -> Response:
        """Read a player's deck as a judge. A POST, because the reading is written into the log.

        A judge who plays in the event too gives a reason. The owner is shown who read it.
        """
        reason = self.read(ReadDeckSerializer).get("reason", "")
        member = self.find_member()
        return self.answer_deck(shown(member, deck_checks.read_deck(self.actor, member, self.now, reason)))

    @extend_schema(request=ReplaceDeckSerializer, responses=DeckSerializer)
    def update(self, request: Request, slug: str, number: int) -> Response:
        """Register a deck for a player as a judge, also after the deadline; needs a reason."""
        values = self.read(ReplaceDeckSerializer)
        name, text, reason, seen = values.get("name", ""), values["text"], values["reason"], values.get("version")
        deck = decks.replace_deck(self.actor, self.find_member(), name, text, reason, self.now, seen=seen)
        return self.answer_registered(deck)

    @extend_schema(request=NewCheckSerializer, responses={201: CheckSerializer})
    def check(self, request: Request, slug: str, number: int) -> Response:
        """Record a deck check; it is never changed afterwards. Counts as a reading of the deck."""
        values, member = self.read(NewCheckSerializer), self.find_member()
        check = deck_checks.record_check(
            self.actor,
            member,
            values["outcome"],
            values.get("notes", ""),
            self.now,
            seen=values.get("version"),
            reason=values.get("reason", ""),
        )
        return self.answer(CheckSerializer, check, 201)

    @extend_schema(request=AllowDeckSerializer, responses=AllowedDeckSerializer)
    def allow(self, request: Request, slug: str, number: int) -> Response:
        """Let a deck be played although it is not legal; needs a reason."""
        values, member = self.read(AllowDeckSerializer), self.find_member()
        allowed = deck_checks.allow_deck(self.actor, member, values["reason"], self.now, seen=values.get("version"))
        return self.answer(AllowedDeckSerializer, allowed)

    @extend_schema(request=ReopenDeckSerializer, responses=ReopenedSerializer)
    def reopen(self, request: Request, slug: str, number: int) -> Response:
        """Let the player register once more after the lock, for some minutes; needs a reason."""
        values, member = self.read(ReopenDeckSerializer), self.find_member()
        reopened = reopening.reopen_deck(self.actor, member, values["minutes"], values["reason"], self.now)
        return self.answer(ReopenedSerializer, reopened)

    @extend_schema(request=None, responses=ReopenedSerializer)
    def shut(self, request: Request, slug: str, number: int) -> Response:
        """Lock a reopened deck before its time."""
        member = reopening.close_reopened_deck(self.actor, self.find_member(), self.now)
        return self.answer(ReopenedSerializer, member)

    def find_member(self) -> EntryMember:
        """The member that is asked for of the entry in the address, else the first; NotFound "unknown_entry"."""
        members = EntryMember.objects.select_related("entry", "person", "tournament", "deck_version__deck")
        member = members.filter(entry=self.find_entry(), order=self.query["member"]).first()
        return needed(member, NotFound("unknown_entry", _("This event has no such entry.")))


class DeckChecksViewSet(EventViewSet):
    """Deck checks, for judges."""

    resource = "deck_checks"
    access_rules: ClassVar = dict.fromkeys(("list", "draw"), "deck.read")

    @extend_schema(responses=CheckSerializer(many=True))
    def list(self, request: Request, slug: str) -> Response:
        """Every deck check, newest first."""
        return self.answer_page(CheckSerializer, checks_of(self.event))

    @extend_schema(request=None, responses=DrawnSerializer)
    def draw(self, request: Request, slug: str) -> Response:
        """Draw whose deck is checked next: of those checked least often, where it costs nothing. The draw is logged."""
        costs = check_costs(self.event, self.now)
        return self.answer(DrawnSerializer, deck_checks.draw_check(self.actor, self.event, self.now, costs))


def shown(member: EntryMember, version: DeckVersion) -> ShownDeck:
    """A member's registered deck as it is shown."""
    check = newest_check(member)
    verdict = check.as_verdict() if check else None
    return ShownDeck(version, verdict, member.deck_registered_at, member.deck_commitment)


def unindexed(response: Response) -> Response:
    """Keep search engines off an answer about decks."""
    response["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    return response


class OwnStackViewSet(DeckAudience):
    """The order of the caller's own deck for the game that comes next."""

    resource = "my_stack"
    access_rules: ClassVar = dict.fromkeys(("retrieve", "update"), "deck.own")

    @extend_schema(responses=StackPlanSerializer)
    def retrieve(self, request: Request, slug: str) -> Response:
        """The saved order, else that of the last time, else the cards as registered; card 1 is the top of the deck."""
        return self.answer_secret(StackPlanSerializer, self._plan())

    @extend_schema(request=NewStackOrderSerializer, responses=StackPlanSerializer)
    def update(self, request: Request, slug: str) -> Response:
        """Save an order for the game that comes next: every card of the registered deck, copies each once."""
        cards, plan = self.read(NewStackOrderSerializer)["cards"], self._plan()
        save_stack_order(self.actor, self.own_member(), plan.match, plan.game, cards, self.now)
        return self.answer_secret(StackPlanSerializer, self._plan())

    def _plan(self) -> StackPlan:
        member, round_ = self.own_member(), open_rounds(self.event).last()
        match = own_match(round_, member.entry_id) if round_ is not None else None
        return stack_plan(self.actor, member, own_list(self.actor, member), match)
