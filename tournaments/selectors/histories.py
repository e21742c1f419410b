"""What is told of people across events: public ones that are over, and nothing of rehearsals."""

from django.db.models import QuerySet

from accounts.models import Person
from tournaments.models import Tournament


def told_events() -> QuerySet[Tournament]:
    """The events whose results everybody may see and that are final."""
    return Tournament.objects.filter(
        state=Tournament.State.FINISHED, visibility=Tournament.Visibility.PUBLIC, rehearsal_of=None
    )


def eldest_persons() -> dict[int | None, int]:
    """The person that stands for an account, the eldest, by id of the account; one query."""
    persons = Person.objects.filter(user__isnull=False).order_by("-created_at", "-pk")
    return dict(persons.values_list("user", "pk"))
