"""Takes a finished event in from its file: built beside everything else, verified, and seen once all of it is right."""

import hashlib
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.actors import Actor
from journal.ledger.selectors import head_of, verify_stream
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, NotAllowed
from tournaments.bundles.bringing import EventRead, bad_file, build_event, read_event_file
from tournaments.bundles.keys import public_key
from tournaments.bundles.selectors import final_head_of, standings_rows
from tournaments.core.ledger import log_act
from tournaments.core.ways import find_way
from tournaments.events.services.events import check_events_a_day
from tournaments.models import Role, Tournament


def bring_event(actor: Actor, data: bytes, now: datetime, key: str = "") -> Tournament:
    """The event of a public event file, from now on readable here; nobody can change it.

    The file must be signed by this site, or by the owner of `key`, whom only a site admin may name (NotAllowed
    "foreign_key"). Its players are guests: no account is touched or linked. An event that is here already with this
    very log is answered as it is; Conflict "event_exists" for any other with its address or log. TooMany
    "too_many_events" as for a new event. What `read_event_file` and `find_way` refuse is refused, and whatever is
    refused changes nothing.
    """
    key = key.strip().lower() or public_key()
    is_admin = actor.via == "command" or (actor.user is not None and actor.user.is_staff)
    if key != public_key() and not is_admin:
        raise NotAllowed("foreign_key", _("Only a site admin can import an event that another site signed."))
    read = read_event_file(data, key)
    try:
        return _store(actor, read, now)
    except ValidationError as error:
        raise bad_file("; ".join(error.messages)) from error
    except IntegrityError as error:
        raise Conflict("event_exists", _("Another event here has this address.")) from error
    except (DataError, KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise bad_file(f"its parts do not fit together: {error}") from error


@in_transaction
def _store(actor: Actor, read: EventRead, now: datetime) -> Tournament:
    facts, log = read.facts, read.parts["ledger.json"]
    known = Tournament.objects.filter(Q(slug=facts["slug"]) | Q(stream=facts["stream"])).first()
    if known is not None:
        head = final_head_of(known)
        if known.stream == facts["stream"] and head and (head.sequence, head.hash) == (log["sequence"], log["hash"]):
            return known
        text = _("“%(name)s” is here already, with another log. Nothing was changed.")
        raise Conflict("event_exists", text % {"name": known.name})
    if head_of(facts["stream"]).sequence:
        raise Conflict("event_exists", _("This site keeps the log of this event, but not the event."))
    find_way(facts["game"], facts["game_format"], facts["variant"])
    if actor.user is not None:
        check_events_a_day(actor.user, now)
    tournament = build_event(read, actor.key, actor.user.pk if actor.user else None, now)
    if actor.user is not None:
        Role.objects.create(tournament=tournament, user=actor.user, name=Role.Name.ORGANISER, granted_at=now)
    last = max((each["number"] for each in read.parts["entries.json"]), default=0)
    subjects: dict[str, int | str] = {
        "event": tournament.pk, "first_entry": 1, "last_entry": last, "acts": log["sequence"], "head": log["hash"],
        "key": read.key, "file": hashlib.sha256(read.data).hexdigest(),
    }  # fmt: skip
    log_act(tournament, "event.brought", actor, now, subjects)
    if standings_rows(tournament) != read.parts["standings.json"] or verify_stream(tournament.stream):
        raise bad_file("what this site computes from it differs from the standings in it")
    return tournament
