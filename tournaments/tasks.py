"""What workers do for tournaments, sent by name; every task may run twice, at once, or be killed half-way."""

import json
import secrets
import time
from dataclasses import asdict
from smtplib import SMTPException

from celery import shared_task
from django.conf import settings
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.actors import SYSTEM
from accounts.identity.selectors import live_links
from accounts.identity.services import hash_token, token_of_seed
from accounts.models import Person, PushSubscription
from accounts.notifications.messages import mail_token, site_address
from accounts.notifications.push_services import Refused, Unreachable, deliver
from accounts.notifications.webpush import decode, encrypt, signature_for
from journal.clock import database_now
from journal.outbox.background_jobs import PassingWork, ShortWork
from journal.outbox.messages import enqueue
from rules_engine.errors import DomainError
from tournaments.bundles import copies
from tournaments.core.forecast_renewal import RENEW
from tournaments.forecast import services as services_of_outlook
from tournaments.forecast.inputs import OutlookGiven
from tournaments.forecast.plan_runs import simulate_chunk
from tournaments.forecast.playouts import Playouts
from tournaments.forecast.services import keep_chunk
from tournaments.models import EntryMember, OutlookRun, Tournament
from tournaments.notifications.news import find_news
from tournaments.notifications.services import tell_round
from tournaments.notifications.words import Notice, words_of_link_mail
from tournaments.privacy import contacts
from tournaments.rehearsals.services import PLAY, play_step
from tournaments.rounds.services.rounds import SEED_BITS
from tournaments.sheets.services.filing import report_filed_sheet
from tournaments.standings.selectors.standings import standings_are_warm, standings_key, standings_of
from tournaments.statistics import services as ratings
from tournaments.statistics.selectors.ratings import games_played_by
from tournaments.webhooks.sending import send_changes

REST_SECONDS = 2.0
"""Between two computations of one event's standings while results pour in: each is out of date before it is done."""
BUSY_SECONDS = 30
"""For how long others keep off an event whose worker died: far longer than the largest standings take."""


@shared_task(name="tournaments.refresh_standings", base=PassingWork)
def refresh_standings(tournament_id: int) -> None:
    """Warm the cache of standings for the newest ledger position; a deleted event needs nothing.

    One worker at a time does it for an event, the others return at once: whoever is at it looks again once it lets
    others in, so that an act that came meanwhile is not passed over. Readers never wait: they compute for themselves.
    """
    tournament = Tournament.objects.filter(pk=tournament_id).first()
    warmed = None
    while tournament is not None and (key := standings_key(tournament)) != warmed and not standings_are_warm(key):
        if not cache.add(busy_key(tournament), 1, BUSY_SECONDS):
            return
        try:
            standings_of(tournament)
            if standings_key(tournament) != key:
                time.sleep(REST_SECONDS)
        finally:
            cache.delete(busy_key(tournament))
        warmed = key


def busy_key(tournament: Tournament) -> str:
    """Stands in the cache while a worker refreshes the standings of an event."""
    return f"standings-refreshed-now:{tournament.stream}"


@shared_task(name="tournaments.write_copy")
def write_copy(tournament_id: int) -> None:
    """Write an event into the second folder, right after what is worth a copy."""
    tournament = Tournament.objects.filter(pk=tournament_id).first()
    if tournament is not None:
        copies.write_copy(tournament, database_now())


@shared_task(name="tournaments.write_copies")
def write_copies() -> None:
    """Write every event into the second folder that changed since its copy."""
    copies.write_copies(database_now())


@shared_task(name="tournaments.remove_contacts", base=ShortWork)
def remove_contacts() -> None:
    """Remove the contact data of guests whose events are long over; see `privacy.contacts`."""
    contacts.remove_contacts(database_now())


@shared_task(name="tournaments.rate_game")
def rate_game(game: str) -> None:
    """Compute the ratings of a game again from its results."""
    ratings.rate_game(game, database_now())


@shared_task(name="tournaments.rate_person")
def rate_person(person_id: int) -> None:
    """The same for every game a person played, who counts as another person once taken over by an account."""
    for game in games_played_by(person_id):
        rate_game(game)


@shared_task(name="tournaments.report_sheet", base=ShortWork)
def report_sheet(revision_id: int) -> None:
    """Turn a tallied score sheet into a report of its match; see `services.sheets.report_filed_sheet`."""
    report_filed_sheet(revision_id, database_now())


@shared_task(name="tournaments.play_rehearsal")
def play_rehearsal(tournament_id: int, sequence: int) -> None:
    """One more step of a rehearsal that plays to the end; where it can go no further, its organiser sees why.

    A step that found the event locked is asked for once more.
    """
    tournament, now = Tournament.objects.filter(pk=tournament_id).first(), database_now()
    if tournament is None:
        return
    try:
        play_step(SYSTEM, tournament, sequence, now)
    except DomainError as error:
        if error.code == "busy":
            enqueue(PLAY, [tournament_id, sequence], now, tournament.stream)


@shared_task(name="tournaments.renew_outlook", base=ShortWork)
def renew_outlook(tournament_id: int) -> None:
    """Simulate the rest of an event again once a round is over or published; asked for twice, it is done once.

    Where the event was locked it is asked for once more.
    """
    tournament, now = Tournament.objects.filter(pk=tournament_id).first(), database_now()
    if tournament is None:
        return
    try:
        services_of_outlook.renew_outlook(SYSTEM, tournament, now, secrets.randbits(SEED_BITS))
    except DomainError as error:
        if error.code == "busy":
            enqueue(RENEW, [tournament_id], now, tournament.stream)


@shared_task(name="tournaments.simulate_outlook")
def simulate_outlook(run_id: int, number: int) -> None:
    """Play one chunk of a simulation; one that is kept already, or whose run was stopped or replaced, needs nothing.

    Its courses follow from the run's seed and the chunk's number alone: whoever plays it, and however often, finds the
    same.
    """

    def goes_on() -> bool:
        return OutlookRun.objects.filter(pk=run_id, cancelled_at=None).exclude(done__number=number).exists()

    run = OutlookRun.objects.filter(pk=run_id).first()
    if run is None or not 0 <= number < run.chunks or not goes_on():
        return
    courses = Playouts(OutlookGiven.from_dict(run.given))
    tallies = courses.tally_samples(f"{run.seed}:{number}", run.samples_a_chunk, goes_on)
    if tallies is not None:
        counts = {entry: tally.as_list() for entry, tally in sorted(tallies.items())}
        keep_chunk(run_id, number, counts, database_now())


@shared_task(name="tournaments.simulate_plan")
def simulate_plan(run_id: str, number: int) -> None:
    """Play one chunk of a longer simulation of a planned event."""
    simulate_chunk(run_id, number)


GONE = (403, 404, 410)
"""What a push service answers about a browser that is not notified any more, or not by this site's key."""
MINUTES_KEPT = 30


@shared_task(name="tournaments.tell_pairings", base=ShortWork)
def tell_pairings(round_id: int) -> None:
    """Ask for the messages to everybody who plays in a published round."""
    tell_round(round_id, database_now())


@shared_task(name="tournaments.push_pairing", base=ShortWork)
def push_pairing(subscription_id: int, about: int, kind: str = "seat") -> None:
    """Tell one browser about a seat or other news; one that is gone is forgotten. Raises Unreachable: try again.

    Pushed twice it is shown once: both bear the same tag.
    """
    now, subscription = database_now(), PushSubscription.objects.filter(pk=subscription_id).first()
    if subscription is None:
        return
    with override(subscription.language or settings.LANGUAGE_CODE):
        news = find_news(kind, about, now)
    if news is None:
        return
    payload = json.dumps(asdict(news[0]), ensure_ascii=False).encode()
    headers = {
        "TTL": str(MINUTES_KEPT * 60),
        "Urgency": "high",
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "Authorization": signature_for(subscription.endpoint, now),
    }
    try:
        body = encrypt(payload, decode(subscription.p256dh), decode(subscription.auth))
        status = deliver(subscription.endpoint, body, headers)
    except (Refused, ValueError):
        status = GONE[0]
    if status in GONE:
        PushSubscription.objects.filter(pk=subscription_id).delete()
    elif status == 429 or status >= 500:
        raise Unreachable(f"a push service answered {status}")


@shared_task(name="tournaments.call_webhook", base=ShortWork)
def call_webhook(webhook_id: int) -> None:
    """Send a webhook what it has not had yet; see `webhooks.sending.send_changes`."""
    send_changes(webhook_id, database_now)


@shared_task(name="tournaments.mail_pairing", base=ShortWork)
def mail_pairing(person_id: int, about: int, kind: str = "seat") -> None:
    """Mail a person about a seat or other news, with links that open nothing by themselves.

    Raises Unreachable, to be tried again.
    """
    person = Person.objects.filter(pk=person_id, erased_at=None).first()
    if person is None or not (person.mails_pairings and person.email):
        return
    with override(person.language or settings.LANGUAGE_CODE):
        if (news := find_news(kind, about, database_now())) is None:
            return
        mail = _mail_about(*news, person)
    _send(mail)


def _send(mail: EmailMessage) -> None:
    try:
        mail.send()
    except (SMTPException, OSError) as error:
        raise Unreachable(f"the mail server: {type(error).__name__}") from None


def _mail_about(notice: Notice, tournament: Tournament, person: Person) -> EmailMessage:
    event = tournament.name
    site, stop = site_address(), reverse("mail_link", args=[mail_token(person, person.email, wanted=False)])
    lines = [event, notice.title, notice.body]
    if site:
        lines += ["", _("Your page (if needed, open your personal link first):"), site + notice.path]
        lines += ["", _("No more such emails:"), site + stop]
    headers = {"List-Unsubscribe": f"<{site}{stop}>"} if site else {}
    subject = " ".join(f"{notice.title} – {event}".split())
    return EmailMessage(subject, "\n".join(lines), to=[person.email], headers=headers)


@shared_task(name="tournaments.mail_link", base=ShortWork)
def mail_link(member_id: int, seed: str, language: str) -> None:
    """Mail a member the link of a seed, in the language they read or else in `language`; not one that was revoked.

    Raises Unreachable, to be tried again: with the same link.
    """
    token = token_of_seed(seed)
    link = live_links().filter(token_hash=hash_token(token)).select_related("person").first()
    member = EntryMember.objects.select_related("tournament").filter(pk=member_id).first()
    if link is None or member is None or not link.person.email:
        return
    address = site_address() + reverse("personal_link", args=[token])
    with override(link.person.language or language or settings.LANGUAGE_CODE):
        subject, text = words_of_link_mail(member.tournament, link.person.name, address)
    _send(EmailMessage(subject, text, to=[link.person.email]))
