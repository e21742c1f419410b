"""Takes in a finished event that another program recorded as `swiss-event/1`, and says where its standings differ.

It is played again through our services, so that rounds, results and standings are ours. Nobody signed such a file: the
event is the organiser's who brought it, and can be reopened and corrected like any other.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.actors import Actor
from journal.models import LedgerEntry
from journal.transactions import in_transaction
from rules_engine.errors import DomainError
from scoring.standings.standings import Standing, decimal_text
from tournaments.bundles.bringing import bad_file
from tournaments.core.ledger import log_act
from tournaments.events.recorded_files import OfficialLine, RecordedFile, read_recorded_file
from tournaments.events.recorded_playoffs import LeftOut, RecordedPlayoffs, read_playoffs
from tournaments.events.services.events import check_events_a_day
from tournaments.events.services.replaying import Replay, replay_event
from tournaments.models import Role, Tournament

RECORDED = "event.recorded"
MAX_MATCHES = 600
"""In a file that an account brings: while it is played again, other acts of the site may have to wait."""
DIGITS = 10
NO_PLAYOFFS = RecordedPlayoffs()
WHY: Mapping[LeftOut, Promise] = {
    LeftOut.NO_SWISS: gettext_lazy("the file has no Swiss rounds before them"),
    LeftOut.NO_OPPONENT: gettext_lazy("one of them has no opponent"),
    LeftOut.NO_WINNER: gettext_lazy("one of them has no winner"),
    LeftOut.NO_BRACKET: gettext_lazy("they aren't one single elimination of 2, 4, 8, … players"),
    LeftOut.PLACES: gettext_lazy("a bracket here has no matches for places below the third"),
}


@dataclass(frozen=True, slots=True)
class Difference:
    """A value of a line that this site computes differently: "rank", "points", "omw", "gw" or "ogw", as text."""

    player: str
    what: str
    ours: str
    theirs: str


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event from a recorded file, and the playoffs of the file with those of their matches that are left out."""

    tournament: Tournament
    differences: tuple[Difference, ...] = ()
    playoffs: RecordedPlayoffs = NO_PLAYOFFS

    @property
    def left_out_words(self) -> str:
        """How many matches of the playoffs are left out, and why; "" for none."""
        count, why = self.playoffs.left_out, self.playoffs.why
        if why is None:
            return ""
        text = ngettext(
            "%(count)d playoff match is left out: %(why)s.", "%(count)d playoff matches are left out: %(why)s.", count
        )
        return text % {"count": count, "why": WHY[why]}


def is_recorded(data: bytes) -> bool:
    """Whether a file is JSON, as recorded events are, and no zip as event files are."""
    return data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{"


def bring_recorded_event(actor: Actor, data: bytes, now: datetime) -> Recorded:
    """The Swiss rounds and the bracket of a recorded event as a finished, unlisted event of the actor; all or nothing.

    The same file brought again by the same organiser answers the event that is here. DomainError "bad_event_file" with
    the reason, "file_too_large"; TooMany "too_many_events" as for a new event, and what the services refuse.
    """
    try:
        file = read_recorded_file(data)
    except DomainError as error:
        raise bad_file(error.message) from error
    if file.date > now.date():
        raise bad_file(f"its date, {file.date}, lies ahead")
    if actor.user is not None and sum(map(len, file.rounds + file.playoffs)) > MAX_MATCHES:
        text = _("This event has more than %(most)d matches. Ask a site admin to import it.")
        raise DomainError("file_too_large", text % {"most": MAX_MATCHES})
    return _store(actor, file, hashlib.sha256(data).hexdigest(), now)


@in_transaction
def _store(actor: Actor, file: RecordedFile, digest: str, now: datetime) -> Recorded:
    known, playoffs = _known(actor, digest), read_playoffs(file)
    if known is not None:
        return Recorded(known, (), playoffs)
    if actor.user is not None:
        check_events_a_day(actor.user, now)
    replay = replay_event(file, now, playoffs)
    tournament = Tournament.objects.get(pk=replay.tournament.pk)
    tournament.created_at, tournament.created_by = now, actor.user  # counted as one of today's
    tournament.save(update_fields=["created_at", "created_by"])
    if actor.user is not None:
        Role.objects.create(tournament=tournament, user=actor.user, name=Role.Name.ORGANISER, granted_at=now)
    differences = tuple(differences_of(file, replay))
    subjects: dict[str, int | str] = {"file": digest, "rounds": len(file.rounds), "differences": len(differences)}
    log_act(tournament, RECORDED, actor, now, subjects)
    return Recorded(tournament, differences, playoffs)


def _known(actor: Actor, digest: str) -> Tournament | None:
    own = Tournament.objects.filter(created_by=actor.user, stream__isnull=False)
    entries = LedgerEntry.objects.filter(act=RECORDED, subjects__file=digest, stream__in=own.values("stream"))
    stream = entries.values_list("stream", flat=True).first()
    return Tournament.objects.filter(stream=stream).first() if stream else None


def differences_of(file: RecordedFile, replay: Replay) -> Iterator[Difference]:
    """Where the standings in the file are not those of the Swiss rounds: by more than one unit of their last digit.

    Who played playoffs has the points compared alone where the file's lines are of after them; else the rank, too.
    """
    ours = {replay.players[line.contender]: line for line in replay.swiss}
    for line in file.official:
        played_on = line.player in file.eliminated
        yield from _differing(line, ours[line.player], file, played_on=played_on)


def _differing(line: OfficialLine, ours: Standing, file: RecordedFile, *, played_on: bool) -> Iterator[Difference]:
    whole = [("points", ours.match_points, line.points)]
    if not (played_on and file.ranks_after_playoffs):
        whole.insert(0, ("rank", ours.rank, line.rank))
    for what, computed, said in whole:
        if computed != said:
            yield Difference(line.player, what, str(computed), str(said))
    unit = Decimal(1).scaleb(-file.policy.decimals)
    for what, share in () if played_on else line.shares.items():
        value, theirs = Decimal(decimal_text(getattr(ours, what), DIGITS)).quantize(unit), share.quantize(unit)
        if abs(value - theirs) > unit:
            yield Difference(line.player, what, str(value), str(theirs))
