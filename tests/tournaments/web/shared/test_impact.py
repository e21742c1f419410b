"""The page that shows what a correction, a drop or a penalty would move: two steps, nothing lost."""

import re
from dataclasses import replace

import pytest
from django.urls import reverse

from accounts.models import Person
from tests.queries import count_queries
from tests.tournaments.factories import NOW, account, score, staff, table
from tests.tournaments.impact.test_impact import DOUBLE_LOSS, add_cut, correction, look, newest, played, stored
from tests.tournaments.web.organiser.test_organiser import browser
from tournaments.manual_pairing.selectors import round_draft_of
from tournaments.models import Amendment, Entry, KeptApart, PairingChange, Penalty, Role, Round, Tournament
from tournaments.results.services.reports import report_result
from tournaments.rounds.services.rounds import publish_round
from tournaments.standings.selectors.moved import MovedLine
from tournaments.web.shared.impact_words import MAX_LINES, built_sentence, describe_impact, summary_of

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def world(shared_db):
    """The event that most tests start from; what they do to it is taken back."""
    return played().pk


@pytest.fixture
def tournament(world):
    return Tournament.objects.get(pk=world)


def text_of(answer):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode()))


def fields_of(answer):
    """What the form of the look would send, but for the button."""
    found = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', answer.content.decode())
    return {name: value for name, value in found if name not in ("csrfmiddlewaretoken", "idempotency_key")}


def first_table(tournament):
    return table(Round.objects.get(stage__tournament=tournament, number=1))


def typed(match, **changes):
    """A double loss typed into the form of the match page."""
    facts = {"act": "correct", "kind": "double_loss", "seen": match.accepted_report_id, "reason": "both came late"}
    return {**facts, "step": "look", **changes}


def press(name, tournament, match, **changes):
    address = reverse("match", args=[tournament.slug, match.pk])
    return browser(name).post(address, typed(match, **changes))


def go_on(name, answer, address, step):
    return browser(name).post(address, {**fields_of(answer), "step": step})


def test_look_stores_nothing_and_keeps_what_was_typed(tournament):
    match, untouched = first_table(tournament), stored(tournament)
    answer = press("olive", tournament, match)
    assert stored(tournament) == untouched
    text = text_of(answer)
    assert "both came late" in text
    assert "not saved yet" in text
    assert "Rounds 2, 3, 4 were paired from this result" in text
    assert fields_of(answer).items() >= {"kind": "double_loss", "reason": "both came late", "act": "correct"}.items()


def test_tapped_score_is_looked_at_first_instead_of_the_numbers_beside_it(tournament):
    match, untouched = first_table(tournament), stored(tournament)
    address, counts = reverse("match", args=[tournament.slug, match.pk]), match.accepted_report
    lost, won = (row.games_won for row in counts.seat_results.all())
    assert f"Swap the winner: {won}–{lost}" in text_of(browser("olive").get(address))
    assert press("olive", tournament, match, score="9-9-9").status_code == 200
    tapped = {"score": f"{won}-{lost}-0", "kind": "played", "first": "1", "second": "1", "reason": "", "why": "0"}
    answer = press("olive", tournament, match, **tapped)
    assert stored(tournament) == untouched
    assert f"{won}–{lost} instead of {lost}–{won}" in text_of(answer)
    assert go_on("olive", answer, address, "keep").status_code == 302
    match.refresh_from_db()
    assert [row.games_won for row in match.accepted_report.seat_results.all()] == [won, lost]
    assert match.accepted_report.reason == "Entered the wrong way round"


def test_a_button_that_only_an_older_page_has_shows_the_preview_again(tournament):
    match, untouched = first_table(tournament), stored(tournament)
    address = reverse("match", args=[tournament.slug, match.pk])
    answer = go_on("olive", press("olive", tournament, match), address, "mend")
    assert "not saved yet" in text_of(answer)
    assert stored(tournament) == untouched


def test_look_can_be_saved_keeping_the_pairings(tournament):
    match, before = first_table(tournament), round_draft_of(newest(tournament)).seatings
    address = reverse("match", args=[tournament.slug, match.pk])
    answer = go_on("olive", press("olive", tournament, match), address, "keep")
    assert answer.status_code == 302
    match.refresh_from_db()
    assert match.accepted_report.kind == "double_loss"
    assert round_draft_of(newest(tournament)).seatings == before
    assert Amendment.objects.get().reason == "both came late"


def look_at_repairable(name, tournament):
    """A look at a correction after which other tables are better: the address and the answer."""
    for found in Round.objects.get(stage__tournament=tournament, number=3).matches.filter(kind="played"):
        for first, second in ((2, 0), (0, 2)):
            changes = {"kind": "played", "first": first, "second": second, "drawn": 0}
            answer = press(name, tournament, found, **changes)
            if "re-pair" in text_of(answer):
                return reverse("match", args=[tournament.slug, found.pk]), answer
    raise AssertionError("no correction of round 3 asks for other tables")


def test_organiser_saves_and_pairs_the_fewest_tables_again(tournament):
    address, answer = look_at_repairable("olive", tournament)
    assert go_on("olive", answer, address, "repair").status_code == 302
    change = PairingChange.objects.get()
    assert change.reason.endswith("both came late")
    tables = browser("olive").get(reverse("arrange_round", args=[tournament.slug, newest(tournament).pk]))
    assert "Re-pair the fewest tables" not in text_of(tables)


def test_judge_sees_the_tables_and_cannot_have_them_paired(tournament):
    staff(tournament, "juno", Role.Name.JUDGE)
    address, answer = look_at_repairable("juno", tournament)
    assert "Only an organiser or head judge can re-pair tables" in text_of(answer)
    untouched = stored(tournament)
    assert go_on("juno", answer, address, "repair").status_code == 403
    assert stored(tournament) == untouched
    assert go_on("juno", answer, address, "keep").status_code == 302
    tables = browser("olive").get(reverse("arrange_round", args=[tournament.slug, newest(tournament).pk]))
    assert "Re-pair the fewest tables" in text_of(tables)


def test_change_what_was_typed_leads_back_with_everything_in_it(tournament):
    match, untouched = first_table(tournament), stored(tournament)
    answer = press("olive", tournament, match, step="edit")
    assert "both came late" in answer.content.decode()
    assert 'value="look"' in answer.content.decode()
    assert stored(tournament) == untouched


def test_correction_meanwhile_is_told_with_a_new_look(tournament):
    match, other = first_table(tournament), table(Round.objects.get(stage__tournament=tournament, number=1), 2)
    address = reverse("match", args=[tournament.slug, match.pk])
    answer = press("olive", tournament, match)
    correction(other, DOUBLE_LOSS)()
    again = go_on("olive", answer, address, "keep")
    assert again.status_code == 200
    assert "changed since you looked; nothing was saved" in text_of(again)
    assert fields_of(again)["mark"] != fields_of(answer)["mark"]
    assert go_on("olive", again, address, "keep").status_code == 302


def test_same_match_corrected_meanwhile_shows_the_match_again(tournament):
    match = first_table(tournament)
    address = reverse("match", args=[tournament.slug, match.pk])
    answer = press("olive", tournament, match)
    correction(match, score(1, 1))()
    assert "This result has changed" in text_of(go_on("olive", answer, address, "keep"))


def test_refused_result_stays_in_the_form(tournament):
    match = first_table(tournament)
    answer = press("olive", tournament, match, kind="played", first=7, second=0)
    assert "Nothing was saved" in text_of(answer)
    assert "both came late" in answer.content.decode()


def test_scorekeeper_sees_no_tables_and_nothing_of_who_is_kept_apart(tournament):
    """Twin worlds: the same look with and without two people of the newest round kept apart."""
    staff(tournament, "kit", Role.Name.SCOREKEEPER)
    round_ = publish_round(account("olive"), newest(tournament), NOW)
    match = table(round_, 1)
    report_result(account("olive"), match, score(2, 0), NOW)
    match.refresh_from_db()
    plain = _masked(press("kit", tournament, match))
    one, other = round_draft_of(round_).table(2).seats
    people = Entry.objects.in_bulk([one, other])
    KeptApart.objects.create(one=people[min(one, other)], other=people[max(one, other)])
    assert _masked(press("kit", tournament, match)) == plain
    assert "Tables of round" not in plain


def _masked(answer):
    assert "not saved yet" in answer.content.decode()
    text = re.sub(r"\d\d:\d\d:\d\d", "", answer.content.decode())
    text = re.sub(r'datetime="[^"]*"', "", text)
    return re.sub(r'name="(csrfmiddlewaretoken|idempotency_key)" value="[^"]*"', "", text)


def test_drop_is_looked_at_then_done_from_the_list(tournament):
    add_cut(tournament)
    entry = tournament.entries.first()
    address, untouched = reverse("look_at_drop", args=[tournament.slug, entry.number]), stored(tournament)
    answer = browser("olive").post(address, {"q": "ad", "show": ""})
    assert stored(tournament) == untouched
    assert f"Drop {entry.name}?" in text_of(answer)
    assert 'aria-current="page">Entries<' in answer.content.decode()
    done = go_on("olive", answer, address, "repair" if "re-pair" in text_of(answer) else "keep")
    assert done.headers["Location"].endswith(f"?q=ad#entry-{entry.number}")
    entry.refresh_from_db()
    assert entry.state == Entry.State.DROPPED
    assert not any(entry.pk in each.seats for each in round_draft_of(newest(tournament)).seatings)


def test_list_leads_to_the_look_once_the_event_runs(tournament):
    page = browser("olive").get(reverse("manage_entries", args=[tournament.slug])).content.decode()
    assert reverse("look_at_drop", args=[tournament.slug, 1]) in page


def test_player_reads_what_the_own_drop_moves(tournament):
    add_cut(tournament, 8)
    ada = account("ada")
    member = tournament.entries.first().members.get()
    Person.objects.filter(pk=member.person_id).update(user=ada.user)
    untouched = stored(tournament)
    text = text_of(browser("ada").get(reverse("my_drop", args=[tournament.slug])))
    assert "Your results still count for your opponents" in text
    assert "for the next stage and give up that place" in text
    assert stored(tournament) == untouched


def test_penalty_is_looked_at_with_notes_kept():
    tournament = played(also_judge=True)
    entry = tournament.entries.first()
    address = reverse("give_penalty", args=[tournament.slug, entry.number])
    form = browser("olive").get(address).content.decode()
    infraction = re.search(r'name="infraction" value="([^"]+)"', form).group(1)
    values = {
        "kind": "disqualification",
        "infraction": infraction,
        "other": "cheating",
        "notes": "two aces",
        "match": 0,
    }
    answer = browser("olive").post(address, {**values, "step": "look"})
    assert not Penalty.objects.exists()
    assert fields_of(answer)["notes"] == "two aces"
    assert go_on("olive", answer, address, "keep").status_code == 302
    entry.refresh_from_db()
    assert (entry.state, Amendment.objects.get().kind) == (Entry.State.DISQUALIFIED, "penalty")


def test_many_lines_are_cut_and_counted(tournament):
    impact = look(tournament, correction(first_table(tournament), DOUBLE_LOSS))
    one = impact.lines[0].entry
    many = replace(impact, lines=tuple(MovedLine(one, rank, rank + 1) for rank in range(1, 201)))
    told = describe_impact(tournament, many, str)
    assert (len(told["lines"]), told["more_lines"]) == (MAX_LINES, 180)
    assert told["summary"] == "200 ranks change."


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ((), "No rank changes."),
        ((MovedLine(1, 2, 1),), "1 rank changes."),
        ((MovedLine(1, 2, 2, ("gw",)),), "No rank changes. Tiebreakers change for 1 player."),
        ((MovedLine(1, 2, 1), MovedLine(2, 3, 3, ("gw",))), "1 rank changes; other values change for 1 more player."),
    ],
)
def test_lines_that_move_are_told_in_a_sentence(lines, words):
    assert summary_of(lines) == words


def test_no_round_built_on_it_says_nothing():
    assert built_sentence(()) == ""


def test_page_takes_as_many_queries_for_few_as_for_many():
    counts = set()
    for players in (6, 12):
        tournament = played(players)
        client, match = browser("olive"), first_table(tournament)
        counts.add(count_queries(client.post, reverse("match", args=[tournament.slug, match.pk]), typed(match)))
    assert len(counts) == 1
