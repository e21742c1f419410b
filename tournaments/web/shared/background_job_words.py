"""Background work in words: what each task does, as organisers read it."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

TASKS: Mapping[str, Promise | str] = {
    "scoring.tally_sheet": gettext_lazy("Add up a score sheet"),
    "tournaments.report_sheet": gettext_lazy("Create a result from a score sheet"),
    "tournaments.refresh_standings": gettext_lazy("Prepare the standings"),
    "tournaments.rate_game": gettext_lazy("Compute the ratings of the game"),
    "tournaments.rate_person": gettext_lazy("Compute the ratings of a player"),
    "tournaments.play_rehearsal": gettext_lazy("Continue the rehearsal"),
    "tournaments.renew_outlook": gettext_lazy("Simulate again after a round"),
    "tournaments.simulate_outlook": gettext_lazy("Simulate the rest of the event"),
    "tournaments.simulate_plan": gettext_lazy("Simulate the planned event"),
    "tournaments.tell_pairings": gettext_lazy("Find subscribers to the pairings"),
    "tournaments.push_pairing": gettext_lazy("Notify a player's phone of the table"),
    "tournaments.mail_pairing": gettext_lazy("Email a player about the table"),
    "tournaments.mail_link": gettext_lazy("Email a player the personal link"),
    "tournaments.call_webhook": gettext_lazy("Call a webhook"),
    "tournaments.write_copy": gettext_lazy("Copy the event to the second folder"),
    "tournaments.write_copies": gettext_lazy("Copy changed events to the second folder"),
    "tournaments.remove_contacts": gettext_lazy("Remove contact data of events long over"),
    "decks.recheck_chunk": gettext_lazy("Check decks under a new card list"),
}
"""What each task does, in plain words."""


def task_words(task: str) -> str:
    """What a task does, in plain words; its name where it has none."""
    return str(TASKS.get(task, task))
