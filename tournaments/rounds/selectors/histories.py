"""What is shown of people across events: public ones that are over, and nothing of rehearsals."""

from collections.abc import Iterable

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.identity.selectors import OWN_FIRST
from accounts.models import Person
from tournaments.entries.selectors.entries import TEAMS
from tournaments.models import Tournament


def final_public_events() -> QuerySet[Tournament]:
    """The events whose results everybody may see and that are final."""
    return Tournament.objects.filter(
        state=Tournament.State.FINISHED, visibility=Tournament.Visibility.PUBLIC, rehearsal_of=None
    )


def without_teams(events: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Those of some events whose results are each one player's own: a team's say nothing of one of its members."""
    of_teams = Tournament.objects.filter(**{f"sheet_options__{TEAMS[0]}": TEAMS[1]})
    return events.exclude(pk__in=of_teams.values("pk"))  # excluded by the key itself, who lacks it would go, too


def persons_of_accounts() -> dict[int | None, int]:
    """The person that stands for an account, see `OWN_FIRST`, by id of the account; one query."""
    persons = Person.objects.filter(user__isnull=False, erased_at=None).order_by(*OWN_FIRST).reverse()
    return dict(persons.values_list("user", "pk"))


def profiles_of(users: Iterable[int]) -> dict[int | None, Person]:
    """For each account that shows its profile the person whose public id is its address; one query."""
    shown = Person.objects.filter(user__in=set(users), user__shows_profile=True, user__is_active=True, erased_at=None)
    return {person.user_id: person for person in shown.select_related("user").order_by(*OWN_FIRST).reverse()}


def pseudonym(person: Person) -> str:
    """What a person is called who was erased: the same everywhere, and saying nothing."""
    return _("Erased player %(id)s") % {"id": person.public_id[:4]}
