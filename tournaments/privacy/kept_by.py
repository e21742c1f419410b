"""What a person has to leave or finish before being erased."""

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.models import User
from rules_engine.errors import NotAllowed
from tournaments.leagues.selectors import may_organise_too
from tournaments.models import Entry, League, Role, Tournament
from tournaments.permissions import OVER
from tournaments.privacy.selectors import Holder, check_link, holder_of, holder_of_guest


def what_to_leave(holder: Holder) -> str:
    """What keeps the holder from being erased, as sentences with what to do; "" for nothing.

    Events they play in or run that are not over, and leagues that they alone run. A finished league keeps only while
    there is an account that can run it instead, so that erasing is possible in the end.
    """
    running = Tournament.objects.exclude(state__in=OVER)
    playing = Entry.objects.filter(pk__in=holder.entries, tournament__in=running).exclude(
        state__in=(Entry.State.WITHDRAWN, Entry.State.DROPPED, Entry.State.DISQUALIFIED)
    )
    names = set(playing.values_list("tournament__name", flat=True))
    if holder.user is None:
        return _listed(_("You still play in: %(names)s. Drop first."), names)
    runs = Role.objects.filter(user=holder.user, tournament__in=running, name=Role.Name.ORGANISER)
    active = Count("organisers", filter=Q(organisers__is_active=True))
    leagues = League.objects.annotate(held=active).filter(held=1, organisers=holder.user)
    open_leagues = leagues.filter(finished_at=None)
    names |= {*runs.values_list("tournament__name", flat=True), *open_leagues.values_list("name", flat=True)}
    text = _("You still play in or organise: %(names)s. Drop, finish it, or add another league organiser first.")
    finished = _names_of_finished(leagues.exclude(finished_at=None), holder.user)
    orphaned = _("You are the only organiser of these finished leagues: %(names)s. Add another organiser first.")
    return " ".join(filter(None, (_listed(text, names), _listed(orphaned, finished))))


def _listed(text: str, names: set[str]) -> str:
    return text % {"names": ", ".join(sorted(names))} if names else ""


def _names_of_finished(leagues: QuerySet[League], user: User) -> set[str]:
    """Those of the leagues that another account could run."""
    return {each.name for each in leagues if may_organise_too(each).exclude(user=user).exists()}


def what_actor_leaves(actor: Actor) -> str:
    """The same of who acts, for the page that offers to erase; "" for who may read nothing of their own data."""
    if actor.user is not None:
        return what_to_leave(holder_of(actor.user))
    try:
        check_link(actor)
    except NotAllowed:
        return ""
    return what_to_leave(holder_of_guest(actor.person)) if actor.person is not None else ""
