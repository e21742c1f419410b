"""A table's draft goes on or one step back, pass by pass, by whoever sits there or staff."""

from datetime import datetime

from django.utils.translation import gettext as _

from accounts.actors import Actor
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, DomainError, NotAllowed
from tournaments.core.ledger import log_act
from tournaments.core.matches import about_match
from tournaments.decks.selectors.drafts import draft_of, table_draft
from tournaments.decks.services.deck_ready import check_at_match, lock_match
from tournaments.models import Match
from tournaments.permissions import is_on_staff


@in_transaction
def move_draft(actor: Actor, match: Match, seen: int, now: datetime, *, back: bool = False) -> Match:
    """Take a table's draft to its next step, or to the one before; `seen` is the step that the actor saw.

    Two phones that act at once move it once: Conflict "draft_moved" tells the later one the `step` of now. The decks
    are locked with the last step, from which only staff go back. Raises DomainError "no_draft", Conflict "not_played",
    NotAllowed "not_your_match", "issuer_plays", "draft_over".
    """
    tournament, match = lock_match(match)
    check_at_match(actor, tournament, match)
    if draft_of(tournament) is None:
        raise DomainError("no_draft", _("Nothing is drafted at this event."))
    drafted = table_draft(tournament, match)
    if drafted is None:
        raise Conflict("not_played", _("This match is not being played now. Check it again."))
    step = drafted.step + (-1 if back else 1)
    if seen != drafted.step or not 0 <= step <= drafted.last:
        raise Conflict("draft_moved", _("The draft has moved on. Here is where it is now."), step=drafted.step)
    if drafted.is_over and not is_on_staff(actor, tournament):
        raise NotAllowed("draft_over", _("The game has begun. Only staff can unlock the decks."))
    match.draft_step, match.draft_since = step, now
    match.save(update_fields=["draft_step", "draft_since"])
    subjects = {**about_match(match), "step": step}
    log_act(tournament, "deck.drafted", actor, now, subjects)
    return match
