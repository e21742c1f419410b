"""Celery shells around the jobs of tournaments; the relay sends them by name."""

from celery import shared_task

from journal.outbox.background_jobs import PassingWork, ShortWork
from tournaments import jobs


@shared_task(name="tournaments.refresh_standings", base=PassingWork)
def refresh_standings(tournament_id: int) -> None:
    """Put an event's current standings into the cache."""
    jobs.refresh_standings(tournament_id)


@shared_task(name="tournaments.write_copy")
def write_copy(tournament_id: int) -> None:
    """Write an event into the second folder."""
    jobs.write_copy(tournament_id)


@shared_task(name="tournaments.write_copies")
def write_copies() -> None:
    """Write every event into the second folder that changed since its copy."""
    jobs.write_copies()


@shared_task(name="tournaments.remove_contacts", base=ShortWork)
def remove_contacts() -> None:
    """Remove the contact data of guests whose events are long over."""
    jobs.remove_contacts()


@shared_task(name="tournaments.rate_game")
def rate_game(game: str) -> None:
    """Compute the ratings of a game again."""
    jobs.rate_game(game)


@shared_task(name="tournaments.rate_person")
def rate_person(person_id: int) -> None:
    """Compute the ratings of the games somebody played again."""
    jobs.rate_person(person_id)


@shared_task(name="tournaments.report_sheet", base=ShortWork)
def report_sheet(revision_id: int) -> None:
    """Turn a tallied score sheet into a report of its match."""
    jobs.report_sheet(revision_id)


@shared_task(name="tournaments.play_rehearsal")
def play_rehearsal(tournament_id: int, sequence: int) -> None:
    """Take a rehearsal one step further."""
    jobs.play_rehearsal(tournament_id, sequence)


@shared_task(name="tournaments.renew_outlook", base=ShortWork)
def renew_outlook(tournament_id: int) -> None:
    """Simulate again what players need, once a round is over or published."""
    jobs.renew_outlook(tournament_id)


@shared_task(name="tournaments.simulate_outlook")
def simulate_outlook(run_id: int, number: int) -> None:
    """Play one chunk of a simulation of what players need."""
    jobs.simulate_outlook(run_id, number)


@shared_task(name="tournaments.simulate_plan")
def simulate_plan(run_id: str, number: int) -> None:
    """Play one chunk of a longer simulation of a planned event."""
    jobs.simulate_plan(run_id, number)


@shared_task(name="tournaments.tell_pairings", base=ShortWork)
def tell_pairings(round_id: int) -> None:
    """Ask for the messages to everybody who plays in a published round."""
    jobs.tell_pairings(round_id)


@shared_task(name="tournaments.push_pairing", base=ShortWork)
def push_pairing(subscription_id: int, about: int, kind: str = "seat") -> None:
    """Tell one browser about a seat or other news."""
    jobs.push_pairing(subscription_id, about, kind)


@shared_task(name="tournaments.call_webhook", base=ShortWork)
def call_webhook(webhook_id: int) -> None:
    """Send a webhook the changes that it has not had yet."""
    jobs.call_webhook(webhook_id)


@shared_task(name="tournaments.mail_pairing", base=ShortWork)
def mail_pairing(person_id: int, about: int, kind: str = "seat") -> None:
    """Mail somebody about a seat or other news."""
    jobs.mail_pairing(person_id, about, kind)


@shared_task(name="tournaments.mail_link", base=ShortWork)
def mail_link(member_id: int, seed: str, language: str) -> None:
    """Mail somebody the personal link that was issued for it."""
    jobs.mail_link(member_id, seed, language)
