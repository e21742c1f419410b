"""Leagues and seasons over several events, and the ratings that finished events add up to."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Person
from tournaments.models.event import Tournament, new_stream, random_slug


class League(models.Model):
    """A series of events with standings of its own: points by rank, of which everybody's best `best_of_events` count.

    `points` are those of ranks 1, 2, …; every rank behind gets `points_for_playing`. `best_of_events` None: all count.
    """

    see_rule = "league.see"

    slug = models.SlugField(max_length=80, unique=True, editable=False)
    stream = models.CharField(max_length=40, unique=True, default=new_stream, editable=False)
    name = models.CharField(_("name"), max_length=120)
    game = models.SlugField(_("game"), max_length=40, blank=True, default="")
    visibility = models.CharField(
        _("visibility"), max_length=10, choices=Tournament.Visibility, default=Tournament.Visibility.PUBLIC
    )
    points = models.JSONField(_("points by rank"), default=list)
    points_for_playing = models.PositiveSmallIntegerField(_("points for everybody else"), default=0)
    best_of_events = models.PositiveSmallIntegerField(_("best events that count"), null=True, blank=True)
    organisers = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="leagues")
    tournaments = models.ManyToManyField(Tournament, through="LeagueEvent", related_name="leagues")
    created_at = models.DateTimeField(editable=False)
    finished_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(best_of_events=None) | Q(best_of_events__gte=1), name="league_counts_an_event"
            )
        ]

    def __str__(self) -> str:
        return self.name

    @staticmethod
    def new_slug(name: str) -> str:
        """An address for a league that cannot be guessed."""
        return random_slug(name)


class LeagueEvent(models.Model):
    """An event of a league; `weight` multiplies its points."""

    league = models.ForeignKey(League, models.CASCADE, related_name="events")
    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="league_events")
    weight = models.PositiveSmallIntegerField(_("weight"), default=1)
    added_at = models.DateTimeField()

    class Meta:
        ordering = ["tournament__starts_at", "id"]
        constraints = [
            models.UniqueConstraint(fields=["league", "tournament"], name="one_league_event"),
            models.CheckConstraint(condition=Q(weight__gte=1, weight__lte=9), name="league_weight_1_to_9"),
        ]

    def __str__(self) -> str:
        return f"{self.league}: {self.tournament}"


class LeaguePlayer(models.Model):
    """What a league's organiser said about a person: who counts as another person, and who stands apart.

    Without a row, persons of one account are one player, and guests of equal name too. `counts_as` the person itself:
    one of their own, whatever the name.
    """

    league = models.ForeignKey(League, models.CASCADE, related_name="players")
    person = models.ForeignKey(Person, models.CASCADE, related_name="+")
    counts_as = models.ForeignKey(Person, models.CASCADE, related_name="+")

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["league", "person"], name="one_word_about_a_person")]

    def __str__(self) -> str:
        return f"{self.league}: {self.person_id} as {self.counts_as_id}"


class GameRating(models.Model):
    """What a person's finished public events of one game add up to: a cache, computed again from the results.

    `mu` and `sigma` are mean and deviation of the estimated strength; `matches` were counted.
    """

    person = models.ForeignKey(Person, models.CASCADE, related_name="ratings")
    game = models.SlugField(max_length=40)
    mu = models.FloatField()
    sigma = models.FloatField()
    matches = models.PositiveIntegerField()
    rated_at = models.DateTimeField()

    class Meta:
        ordering = ["game", "-mu"]
        constraints = [models.UniqueConstraint(fields=["person", "game"], name="one_rating_a_game")]

    def __str__(self) -> str:
        return f"{self.person_id} {self.game}"
