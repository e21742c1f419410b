"""Contact data of guests goes 90 days after their last event; accounts, results and logs are left alone."""

from datetime import timedelta

import pytest

from accounts.identity.selectors import STREAM
from accounts.models import Person, PushSubscription, User
from journal.ledger.selectors import head_of, verify_stream
from journal.models import LedgerEntry
from tests.tournaments.factories import NOW, account, entry, event, next_round, report_all, running
from tests.tournaments.web.visitors import browser, url
from tournaments.entries.services.entries import EntryDraft, register_walk_ins, sign_up
from tournaments.events.services.events import cancel_tournament, finish_tournament
from tournaments.events.services.moving import mark_as_moved
from tournaments.models import EntryMember, Tournament
from tournaments.privacy import contacts
from tournaments.privacy.contacts import remove_contacts
from tournaments.standings.selectors.standings import standings_of

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
DAY = timedelta(days=1)
SOON, LATER = NOW + 90 * DAY, NOW + 90 * DAY + timedelta(seconds=1)


def entered(**changes):
    """An event of three guests, two of them with an address."""
    tournament = event(**changes)
    drafts = [EntryDraft("Ada", email="ada@example.org"), EntryDraft("Ben", email="ben@example.org"), EntryDraft("Cem")]
    register_walk_ins(account("olive"), tournament, drafts, NOW)
    return tournament


def over(at=NOW, **changes):
    """The same, finished then."""
    tournament = entered(starts_at=at - DAY, **changes)
    Tournament.objects.filter(pk=tournament.pk).update(state="finished", started_at=at - DAY, finished_at=at)
    return tournament


def addresses():
    return set(Person.objects.exclude(email="").values_list("email", flat=True))


def test_addresses_go_after_90_days_and_not_before():
    tournament = over()
    guest = Person.objects.get(name="Ada")
    Person.objects.filter(pk=guest.pk).update(mails_pairings=True, language="de")
    PushSubscription.objects.create(person=guest, endpoint="https://push.example/1", created_at=NOW)
    assert (remove_contacts(SOON - timedelta(seconds=1)), len(addresses())) == (0, 2)
    assert (remove_contacts(LATER), addresses()) == (2, set())
    guest.refresh_from_db()
    assert (guest.name, guest.mails_pairings, guest.language) == ("Ada", False, "")
    assert not PushSubscription.objects.exists()
    assert remove_contacts(LATER + DAY) == 0
    told = LedgerEntry.objects.get(stream=STREAM, act="contacts_removed")
    assert (told.subjects, told.digests) == ({"event": tournament.pk, "count": 2}, {})


def test_logs_and_standings_are_as_they_were():
    tournament = running(4)
    Person.objects.filter(name="Ada").update(email="ada@example.org")
    report_all(next_round(tournament))
    tournament = finish_tournament(account("olive"), tournament, NOW, early="enough")
    head, lines = head_of(tournament.stream), standings_of(tournament)
    assert remove_contacts(LATER) == 1
    assert (head_of(tournament.stream), standings_of(tournament)) == (head, lines)
    assert (verify_stream(tournament.stream), verify_stream(STREAM)) == ([], [])


def test_an_event_may_keep_them():
    tournament = over(keeps_contacts=True)
    assert (remove_contacts(NOW + 900 * DAY), len(addresses())) == (0, 2)
    Tournament.objects.filter(pk=tournament.pk).update(keeps_contacts=False)
    assert remove_contacts(NOW + 900 * DAY) == 2  # the control


@pytest.mark.parametrize("other", [{"keeps_contacts": True}, {"at": NOW + 30 * DAY}])
def test_the_last_event_of_a_person_counts(other):
    first, second = over(), over(**other)
    guest = entry(first, "Ada").members.get().person
    EntryMember.objects.filter(entry=entry(second, "Ada")).update(person=guest)
    remove_contacts(LATER)
    guest.refresh_from_db()
    assert guest.email == "ada@example.org"
    assert entry(first, "Ben").members.get().person.email == ""


def test_events_that_nobody_finished_end_with_their_last_act():
    entered()
    cancelled = entered()
    cancel_tournament(account("olive"), cancelled, "rain", NOW + 10 * DAY)
    assert (remove_contacts(LATER), len(addresses())) == (0, 2)  # one starts a day later, one was cancelled later
    assert remove_contacts(LATER + DAY) == 2
    assert remove_contacts(LATER + 9 * DAY) == 0
    assert remove_contacts(LATER + 10 * DAY) == 2


def test_accounts_keep_what_is_theirs():
    tournament = event(self_sign_up=True)
    zoe = account("zoe")
    Person.objects.filter(pk=zoe.person.pk).update(email="zoe@example.org", mails_pairings=True)
    sign_up(zoe, tournament, zoe.person, NOW)
    Tournament.objects.filter(pk=tournament.pk).update(state="finished", finished_at=NOW)
    assert (remove_contacts(NOW + 900 * DAY), addresses()) == (0, {"zoe@example.org"})
    User.objects.filter(username="zoe").delete()
    assert remove_contacts(NOW + 900 * DAY) == 1  # the control: nobody's account any more


def test_a_moved_event_is_no_excuse():
    tournament = entered()
    mark_as_moved(account("olive"), tournament, "elsewhere", "", NOW)
    assert remove_contacts(LATER + DAY) == 2


def test_a_run_takes_so_many_and_the_next_one_goes_on(monkeypatch):
    over()
    monkeypatch.setattr(contacts, "AT_ONCE", 1)
    assert [remove_contacts(LATER) for _ in range(3)] == [1, 1, 0]


def test_organiser_chooses_on_the_settings_page_and_programs_in_the_api():
    olive = browser(account("olive"))
    tournament = event()
    page = olive.get(url(tournament, "manage/settings/")).content.decode()
    assert "Keep contact data after the event" in page
    answer = olive.patch(
        f"/api/v1/events/{tournament.slug}/", {"keeps_contacts": True}, content_type="application/json"
    )
    assert answer.json()["keeps_contacts"] is True
