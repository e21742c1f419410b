"""What the event form folds away: its present values stand in the summary, and a refused field is never hidden."""

import pytest

from tests.tournaments.factories import account, event
from tests.tournaments.web.organiser.test_organiser import VALUES
from tests.tournaments.web.visitors import browser, page, text_of, url

pytestmark = pytest.mark.django_db


def test_summaries_tell_the_usual_and_the_chosen():
    account("olive")
    html = page(browser(account("olive")), "/new/")
    assert "Match length best of 3 Round length (minutes) 80 Clock warns at (minutes left) 10, 5" in text_of(html)
    assert '<span data-value="check_in" hidden>' in html
    held = event(2, round_minutes=45, capacity=32, check_in=True, place="Lantern Hall")
    text = text_of(page(browser(account("olive")), url(held, "manage/settings/")))
    assert "Place and visibility Venue Lantern Hall Time zone UTC Visibility public: listed for everybody" in text
    assert "Round length (minutes) 45" in text
    assert "Player limit 32 Players check in before the start" in text


def test_fold_with_a_refused_field_is_open_and_tells_what_was_typed():
    held = event(2)
    sent = {**VALUES, "capacity": "1", "time_zone": "Atlantis"}
    answer = browser(account("olive")).post(url(held, "manage/settings/"), sent)
    html = answer.content.decode()
    opened = [part.split("<span>", 1)[1].split("<", 1)[0] for part in html.split("data-values open>")[1:]]
    assert opened == ["Place and visibility", "Entries and check-in"]
    assert '<b translate="no">Atlantis</b>' in html
