"""What somebody has to leave or finish before being erased."""

from django.db.models import Count
from django.utils.translation import gettext as _

from accounts.actors import Actor
from rules_engine.errors import NotAllowed
from tournaments.models import Entry, League, Role, Tournament
from tournaments.permissions import OVER
from tournaments.privacy.selectors import Holder, check_link, holder_of, holder_of_guest


def what_to_leave(holder: Holder) -> str:
    """What keeps the holder from being erased, as a sentence with what to do; "" for nothing.

    Events they play in or run that are not over, and leagues that they alone run.
    """
    running = Tournament.objects.exclude(state__in=OVER)
    playing = Entry.objects.filter(pk__in=holder.entries, tournament__in=running).exclude(
        state__in=(Entry.State.WITHDRAWN, Entry.State.DROPPED, Entry.State.DISQUALIFIED)
    )
    names = set(playing.values_list("tournament__name", flat=True))
    if holder.user is None:
        text = _("You still play in: %(names)s. Drop first.")
    else:
        text = _("You still play in or organise: %(names)s. Drop, finish it, or add another league organiser first.")
        runs = Role.objects.filter(user=holder.user, tournament__in=running, name=Role.Name.ORGANISER)
        leagues = League.objects.filter(finished_at=None).annotate(held=Count("organisers"))
        alone = leagues.filter(held=1, organisers=holder.user)
        names |= {*runs.values_list("tournament__name", flat=True), *alone.values_list("name", flat=True)}
    return text % {"names": ", ".join(sorted(names))} if names else ""


def what_actor_leaves(actor: Actor) -> str:
    """The same of who acts, for the page that offers to erase; "" for who may read nothing of the own data."""
    if actor.user is not None:
        return what_to_leave(holder_of(actor.user))
    try:
        check_link(actor)
    except NotAllowed:
        return ""
    return what_to_leave(holder_of_guest(actor.person)) if actor.person is not None else ""
