"""The desk and the match page: typing results, what is refused, settling, correcting, and who may do it."""

import uuid

import pytest

from scoring.standings.results import MatchLength
from tests.tournaments.factories import (
    NOW,
    account,
    afresh,
    event,
    next_round,
    report_all,
    running,
    score,
    staff,
    table,
)
from tests.tournaments.web.visitors import browser, guest, page, paired, text_of, url
from tournaments.core.rounds import matches_of
from tournaments.entries.services.entries import sign_up
from tournaments.events.services.events import start_tournament
from tournaments.models import Match, ReportAct, ResultReport, Role
from tournaments.results.forms.scores import Score, read_score, usual_scores
from tournaments.results.services.reports import report_result
from tournaments.rounds.services.rounds import pair_next_round

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def stored_held(shared_db):
    return running(6, swiss_rounds=3)


@pytest.fixture
def held(stored_held, db):
    return afresh(stored_held)


@pytest.fixture
def round_(held):
    return next_round(held)


@pytest.fixture
def kit(held):
    return browser(staff(held, "kit", Role.Name.SCOREKEEPER))


@pytest.fixture
def juno(held):
    return browser(staff(held, "juno", Role.Name.JUDGE))


def type_in(client, held, round_, number, result, **values):
    data = {"round": round_.pk, "table": number, "result": result, "idempotency_key": str(uuid.uuid4()), **values}
    return client.post(url(held, "desk/"), data)


def act(client, held, match, name, **values):
    data = {"act": name, "idempotency_key": str(uuid.uuid4()), **values}
    return client.post(url(held, f"match/{match.pk}/"), data)


def games(match):
    """Games by seat order and drawn games of what counts."""
    report = Match.objects.get(pk=match.pk).accepted_report
    if report is None:
        return None
    return (*report.seat_results.order_by("seat__order").values_list("games_won", flat=True), report.games_drawn)


# Scores


@pytest.mark.parametrize(
    ("length", "codes"),
    [
        (MatchLength(1), "1–0 0–0–1 0–1"),
        (MatchLength(3), "2–0 2–1 1–1 1–2 0–2"),
        (MatchLength(5), "3–0 3–1 3–2 2–2 2–3 1–3 0–3"),
        (MatchLength(2, exactly=True), "2–0 1–1 0–2"),
    ],
)
def test_codes_run_from_the_first_seat_winning_to_the_second(length, codes):
    assert " ".join(each.text for each in usual_scores(length)) == codes


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("1", Score(2, 0)),
        ("4", Score(1, 2)),
        (" 2-1 ", Score(2, 1)),
        ("2–1", Score(2, 1)),
        ("2 1 0", Score(2, 1)),
        ("1:1:1", Score(1, 1, 1)),
        ("21", Score(2, 1)),
        ("0/2", Score(0, 2)),
    ],
)
def test_typed_scores_are_read(typed, read):
    assert read_score(typed, MatchLength(3)) == read


# Typing


@pytest.mark.parametrize(
    ("code", "stored"), [("1", (2, 0, 0)), ("4", (1, 2, 0)), ("2-1-0", (2, 1, 0)), ("1 1 1", (1, 1, 1))]
)
def test_a_typed_result_counts_and_leads_back_to_the_desk(held, round_, kit, code, stored):
    response = type_in(kit, held, round_, 2, code)
    assert response.status_code == 302
    assert games(table(round_, 2)) == stored
    html = kit.get(response.url).content.decode()
    assert "Last saved" in html
    assert f"/match/{table(round_, 2).pk}/" in html
    assert html[html.index("autofocus") - 200 : html.index("autofocus")].count('name="table"') == 1
    assert "1 of 3 tables" in text_of(html)


def test_table_alone_shows_who_sits_there_and_asks_for_the_result(held, round_, kit):
    response = type_in(kit, held, round_, 2, "")
    assert response.url == url(held, "desk/?table=2")
    html = kit.get(response.url).content.decode()
    names = [seat.entry.name for seat in table(round_, 2).seats.order_by("order")]
    assert f"{names[0]} (seat 1) vs. {names[1]}" in text_of(html)
    assert 'name="result"' in html[html.index("autofocus") - 250 : html.index("autofocus")]
    assert not ResultReport.objects.exists()


def test_zero_leads_to_the_match_page(held, round_, kit):
    assert type_in(kit, held, round_, 2, "0").url == url(held, f"match/{table(round_, 2).pk}/")


@pytest.mark.parametrize(
    ("number", "result", "words"),
    [
        ("99", "1", "has no table 99"),
        ("0", "1", "is no table number"),
        ("-1", "1", "is no table number"),
        ("x", "1", "is no table number"),
        ("٣", "1", "is no table number"),
        ("", "1", "required"),
        ("1", "9", "is no result"),
        ("1", "-1", "is no result"),
        ("1", "two nil", "is no result"),
        ("1", "3-0", "Nobody can win more than 2"),
        ("1", "2-2", "Only one side"),
        ("1", "0-0", "No games played"),
        ("1", "2-0-99", "drawn games"),
    ],
)
def test_what_cannot_be_is_told_at_the_field_and_kept(held, round_, kit, number, result, words):
    response = type_in(kit, held, round_, number, result)
    html = response.content.decode()
    assert response.status_code == 200
    assert words in html
    assert f'value="{result}"' in html
    assert not ResultReport.objects.exists()


def test_the_same_result_again_is_already_stored(held, round_, kit):
    type_in(kit, held, round_, 1, "1")
    response = type_in(kit, held, round_, 1, "2-0")
    assert "already saved" in kit.get(response.url).content.decode()
    assert ResultReport.objects.count() == 1


def test_another_result_overwrites_nothing_and_leads_to_the_match(held, round_, kit):
    type_in(kit, held, round_, 1, "1")
    response = type_in(kit, held, round_, 1, "5")
    assert games(table(round_)) == (2, 0, 0)
    assert response.url == url(held, f"match/{table(round_).pk}/")
    text = text_of(kit.get(response.url).content.decode())
    assert "Table 1 already has 2–0, Fay wins. You typed 0–2" in text
    assert "says otherwise" in text
    assert "contradicted" in page(kit, url(held, "desk/"))


def test_double_press_stores_once(held, round_, kit):
    answers = [type_in(kit, held, round_, 1, "1", idempotency_key="k") for _ in range(2)]
    assert answers[1]["Idempotency-Replayed"] == "true"
    assert type_in(kit, held, round_, 1, "5", idempotency_key="k").status_code == 422
    assert ResultReport.objects.count() == 1


def test_a_refused_entry_keeps_its_key_for_the_mended_one(held, round_, kit):
    html = type_in(kit, held, round_, 1, "9", idempotency_key="k").content.decode()
    assert 'value="k"' in html
    assert type_in(kit, held, round_, 1, "1", idempotency_key="k").status_code == 302
    assert games(table(round_)) == (2, 0, 0)


def test_a_desk_open_since_an_earlier_round_touches_nothing(held, round_, kit):
    report_all(round_, 2, 0)
    later = next_round(held, seed=2)
    response = type_in(kit, held, round_, 1, "5")
    assert "Not saved: that was an earlier round" in text_of(kit.get(response.url).content.decode())
    assert games(table(round_)) == (2, 0, 0)
    assert games(table(later)) is None


def test_desk_without_a_round_says_so(held, kit):
    assert "No round is being played" in page(kit, url(held, "desk/"))
    opened = event(2)
    assert "registration open" in page(browser(account("olive")), url(opened, "desk/"))
    answer = kit.post(url(held, "desk/"), {"table": "1", "result": "1"}, follow=True).content.decode()
    assert "Nothing was saved" in text_of(answer)
    assert not ResultReport.objects.exists()


def test_desk_shows_nothing_of_a_hidden_round(held, round_, kit):
    report_all(round_, 2, 0)
    pair_next_round(account("olive"), held, NOW, seed=2)
    assert "No round is being played" in page(kit, url(held, "desk/"))


# Players' reports at the desk


def test_reported_tables_are_confirmed_by_one_press(held, round_, kit):
    match, first, _second = paired(round_)
    report = report_result(account("x"), match, score(2, 1), NOW, seat=first).report
    assert "Confirm" in page(kit, url(held, "desk/"))
    kit.post(url(held, "desk/"), {"act": "confirm", "report": report.pk})
    assert games(match) == (2, 1, 0)


def test_conflicts_stand_first_and_are_settled_on_the_match_page(held, round_, kit):
    match = table(round_, 3)
    first, second = match.seats.order_by("order")
    report_result(account("x"), match, score(2, 0), NOW, seat=first)
    right = report_result(account("y"), match, score(2, 1), NOW, seat=second).report
    html = page(kit, url(held, "desk/"))
    missing = html[html.index('id="missing"') : html.index('class="foot"')]
    assert missing.index("2–0 against 2–1") < missing.index('data-table="1"')
    assert "playing" not in missing, "what every line says is said once, by the heading"
    assert "Confirm<" not in missing
    act(kit, held, match, "confirm", report=right.pk)
    assert games(match) == (2, 1, 0)
    assert ReportAct.objects.get().name == ReportAct.Name.SETTLE


@pytest.mark.parametrize("number", ["0", "x", "", "99999999999999999999999"])
def test_confirming_what_is_not_there_changes_nothing(held, round_, kit, number):
    response = kit.post(url(held, "desk/"), {"act": "confirm", "report": number})
    assert "Nothing changed: this isn&#x27;t the current round." in text_of(kit.get(response.url).content.decode())


def test_reports_of_another_event_cannot_be_confirmed_here(held, round_, kit):
    other = running(2, name="Other")
    match, first, _second = paired(next_round(other))
    report = report_result(account("x"), match, score(2, 1), NOW, seat=first).report
    kit.post(url(held, "desk/"), {"act": "confirm", "report": report.pk})
    assert games(match) is None
    for name in ("confirm", "report", "correct"):
        response = act(kit, held, match, name, report=report.pk, kind="played", first="2", second="0", reason="x")
        assert response.status_code == 404


def test_done_tables_say_who_told_the_result(held, round_, kit):
    match, first, second = paired(round_)
    for seat in (first, second):
        values = {"act": "report", "match": match.pk, "score": "2-1-0" if seat == first else "1-2-0"}
        guest(held, seat.entry.name).post(url(held, "my/"), values, headers={"user-agent": seat.entry.name})
    type_in(kit, held, round_, 2, "4")
    done = text_of(page(kit, url(held, "desk/")).split('id="done"')[1])
    assert f"1 {first.entry.name} · {second.entry.name} 2–1 both players" in done
    loser, winner = (seat.entry.name for seat in table(round_, 2).seats.order_by("order"))
    assert f"2 {winner} · {loser} 2–1 kit" in done


# The match page


@pytest.mark.parametrize(
    ("values", "stored", "kind"),
    [
        ({"kind": "played", "first": "2", "second": "1"}, (2, 1, 0), "played"),
        ({"kind": "intentional_draw"}, (0, 0, 3), "intentional_draw"),
        ({"kind": "absent_first"}, (0, 2, 0), "no_show"),
        ({"kind": "absent_second"}, (2, 0, 0), "no_show"),
        ({"kind": "absent_both"}, (0, 0, 0), "no_show"),
        ({"kind": "double_loss"}, (0, 0, 0), "double_loss"),
    ],
)
def test_staff_report_every_kind_of_result(held, round_, kit, values, stored, kind):
    assert act(kit, held, table(round_), "report", **values).status_code == 302
    assert games(table(round_)) == stored
    assert ResultReport.objects.get().kind == kind
    assert page(kit, url(held, f"match/{table(round_).pk}/"))


@pytest.mark.parametrize(
    "values",
    [{"kind": "played"}, {"kind": "played", "first": "-1"}, {"kind": "played", "first": "7"}, {"kind": "x"}, {}],
)
def test_absurd_staff_reports_are_refused(held, round_, kit, values):
    response = act(kit, held, table(round_), "report", **values)
    assert response.status_code == 200
    assert "Nothing was saved" in response.content.decode()
    assert not ResultReport.objects.exists()


def test_correction_needs_a_reason_and_names_the_old_report(held, round_, kit):
    type_in(kit, held, round_, 1, "1")
    match, old = table(round_), ResultReport.objects.get()
    values = {"kind": "played", "first": "0", "second": "2", "seen": old.pk}
    refused = act(kit, held, match, "correct", **values)
    assert refused.status_code == 200
    assert games(match) == (2, 0, 0)
    act(kit, held, match, "correct", **values, reason="slip misread")
    assert games(match) == (0, 2, 0)
    html = page(kit, url(held, f"match/{match.pk}/"))
    assert "slip misread" in html
    assert "accepted" in html
    assert "replaced" in html


def test_correcting_what_somebody_changed_meanwhile_is_refused(held, round_, kit):
    type_in(kit, held, round_, 1, "1")
    match, old = table(round_), ResultReport.objects.get().pk
    values = {"kind": "played", "first": "0", "second": "2", "reason": "why", "seen": old}
    act(kit, held, match, "correct", **values)
    late = act(kit, held, match, "correct", **{**values, "first": "1"})
    assert "This result has changed" in late.content.decode()
    assert games(match) == (0, 2, 0)


def test_upholding_closes_a_contradiction(held, round_, kit):
    type_in(kit, held, round_, 1, "1")
    type_in(kit, held, round_, 1, "5")
    match = table(round_)
    assert "Keep 2–0" in page(kit, url(held, f"match/{match.pk}/"))
    assert act(kit, held, match, "uphold").status_code == 200
    act(kit, held, match, "uphold", reason="typed at the wrong table")
    assert games(match) == (2, 0, 0)
    assert "says otherwise" not in page(kit, url(held, f"match/{match.pk}/"))
    assert "contradicted" not in page(kit, url(held, "desk/"))


def test_closed_rounds_are_corrected_by_judges_only(held, round_, kit, juno):
    report_all(round_, 2, 0)
    next_round(held, seed=2)
    match = table(round_)
    values = {"kind": "played", "first": "0", "second": "2", "reason": "why", "seen": match.accepted_report_id}
    assert "Only a judge or the organiser can correct" in page(kit, url(held, f"match/{match.pk}/"))
    assert act(kit, held, match, "correct", **values).status_code == 403
    assert games(match) == (2, 0, 0)
    assert act(juno, held, match, "correct", **values).url == url(held, f"match/{match.pk}/")
    assert games(match) == (0, 2, 0)
    assert act(juno, held, match, "report", kind="played", first="2").status_code == 200
    assert games(match) == (0, 2, 0)


def test_unknown_acts_and_byes_change_nothing(round_, held, kit):
    assert act(kit, held, table(round_), "explode").status_code == 200
    odd = running(3, name="Odd")
    bye = next_round(odd).matches.get(kind="bye")
    olive = browser(account("olive"))
    assert "bye" in page(olive, url(odd, f"match/{bye.pk}/"))
    assert act(olive, odd, bye, "report", kind="played", first="2").status_code == 200
    assert games(bye) == (2, 0)


@pytest.mark.parametrize("number", [0, 99999999, 99999999999999999999999])
def test_unknown_matches_are_not_found(held, round_, kit, number):
    assert kit.get(url(held, f"match/{number}/")).status_code == 404


# Who may


@pytest.mark.parametrize("rest", ["desk/", "match/{match}/"])
@pytest.mark.parametrize(
    ("who", "status"),
    [("visitor", 302), ("mallory", 403), ("player", 403), ("kit", 200), ("juno", 200), ("olive", 200)],
)
def test_the_desk_is_for_staff(held, round_, kit, juno, rest, who, status):
    known = {"visitor": browser(), "player": guest(held, "Ada"), "kit": kit, "juno": juno}
    client = known.get(who) or browser(account(who))
    address = url(held, rest.format(match=table(round_).pk))
    assert client.get(address).status_code == status
    if status != 200:
        client.post(address, {"round": round_.pk, "table": "1", "result": "1", "act": "report", "kind": "absent_both"})
        assert not ResultReport.objects.exists()


def test_staff_of_one_event_are_nobody_at_another(held, round_, kit):
    hidden = running(2, name="Hidden", visibility="private")
    shown = running(2, name="Shown")
    assert kit.get(url(hidden, "desk/")).status_code == 404
    assert kit.get(url(shown, "desk/")).status_code == 403


def test_a_removed_role_is_gone_at_the_next_request(held, round_, kit):
    assert kit.get(url(held, "desk/")).status_code == 200
    Role.objects.filter(tournament=held, user__username="kit").delete()
    assert kit.get(url(held, "desk/")).status_code == 403
    assert type_in(kit, held, round_, 1, "1").status_code == 403


@pytest.mark.parametrize("role", [Role.Name.SCOREKEEPER, Role.Name.JUDGE])
def test_a_scorekeeper_has_no_say_at_the_own_table_and_a_judge_has(role):
    tournament = event(3)
    kit = staff(tournament, "kit", role)
    sign_up(kit, tournament, kit.person, NOW)
    round_ = next_round(start_tournament(account("olive"), tournament, NOW))
    match = next(each for each in matches_of(round_) if any(seat.entry.name == "kit" for seat in each.seats.all()))
    client = browser(kit)
    type_in(client, tournament, round_, match.table_number, "1")
    at_match = client.post(url(tournament, f"match/{match.pk}/"), {"act": "report", "score": "2-0"})
    stored = ResultReport.objects.filter(match=match).count()
    assert stored == (1 if role == Role.Name.JUDGE else 0)
    assert (at_match.status_code == 403) is (role == Role.Name.SCOREKEEPER)
