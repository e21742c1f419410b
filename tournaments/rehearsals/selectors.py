"""Questions about rehearsals."""

from django.db.models import QuerySet

from accounts.actors import Actor
from tournaments.models import Tournament


def rehearsals_of(actor: Actor, tournament: Tournament) -> QuerySet[Tournament]:
    """The rehearsals of an event that the actor runs, newest first."""
    return Tournament.objects.filter(rehearsal_of=tournament, roles__user=actor.user).distinct()
