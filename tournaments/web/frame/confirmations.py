"""Acts at an event that cannot be undone: what each would lose, and the page that asks before it happens."""

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.http.requests import ActorRequest
from accounts.http.typed_confirmation import require_typed_name
from tournaments.models import EntryMember, Tournament


def ask_to_publish_decks(
    request: ActorRequest, tournament: Tournament, *, moments: tuple[str, ...], title: str, label: str
) -> HttpResponse | None:
    """The page that asks before decklists become public for good; None where none would, or the name was typed.

    `moments` are the policies of the event under which the act publishes them.
    """
    if tournament.deck_publish not in moments or tournament.decks_published_at is not None:
        return None
    if not (count := _registered(tournament)):
        return None
    lost = ngettext(
        "The secret of %(count)d decklist: everyone can read it, and you can't undo this.",
        "The secret of %(count)d decklists: everyone can read them, and you can't undo this.",
        count,
    )
    back = reverse("manage", args=[tournament.slug])
    return require_typed_name(
        request, title=title, lost=[lost % {"count": count}], name=tournament.name, label=label, back=back
    )


def ask_to_detach_decks(
    request: ActorRequest, tournament: Tournament, game: str, game_format: str
) -> HttpResponse | None:
    """The page that asks before another game or format takes the registered decks off; None where none are."""
    if (game, game_format) == (tournament.game, tournament.game_format) or not (count := _registered(tournament)):
        return None
    lost = ngettext(
        "%(count)d registered deck: the player must register it again.",
        "%(count)d registered decks: the players must register them again.",
        count,
    )
    return require_typed_name(
        request,
        title=_("Change the game or format?"),
        lost=[lost % {"count": count}],
        name=tournament.name,
        label=_("Change it"),
        back=reverse("manage_settings", args=[tournament.slug]),
    )


def _registered(tournament: Tournament) -> int:
    return EntryMember.objects.filter(tournament=tournament, deck_version__isnull=False).count()
