"""Who acts must be somebody: attacks in several steps, each with its guard taken out once.

See docs/how-it-works/trust.md#d6, #t5 and #a8.
"""

from datetime import timedelta
from itertools import product

import pytest

from accounts.identity.selectors import actor_of_link
from accounts.identity.services import issue_personal_link, link_person_to_user
from accounts.models import PersonalLink
from journal.clock import database_now
from journal.models import LedgerEntry
from rules_engine.errors import Conflict, DomainError
from scoring.standings.results import MatchLength, no_show
from tests.refusals import refusal
from tests.tournaments.decks.test_deck_ready import duel_of
from tests.tournaments.factories import account, entry, event, next_round, running, score, staff, table
from tests.tournaments.sheet_acts import doomlings, file, fresh, opened, played, player, seat, sign, work, write
from tests.tournaments.table_phones import phone, say, seats_at, table_actor, tokens_of
from tests.tournaments.web.visitors import browser, text_of, url
from tournaments import permissions
from tournaments.decks.selectors import deck_ready
from tournaments.decks.selectors.reveal import revealed_plans
from tournaments.decks.services.deck_ready import mark_deck_ready, mark_deck_ready_for, undo_deck_ready
from tournaments.entries.services.desk_entries import issue_entry_link, revoke_entry_links
from tournaments.entries.services.entries import sign_up
from tournaments.entries.services.members import change_member
from tournaments.events.selectors import undoing
from tournaments.events.services.events import finish_tournament, start_tournament
from tournaments.events.services.undoing import undo_act
from tournaments.models import Match, ResultReport, Role, Tournament
from tournaments.permissions import may_see_own_list
from tournaments.results import selectors as reports
from tournaments.results.services import reports as results
from tournaments.results.services.reports import confirm_report, report_result
from tournaments.results.services.stored_reports import Status, as_result
from tournaments.sheets.selectors import sheets
from tournaments.sheets.services.writing import mark_absence
from tournaments.table_access.services import (
    agree_from_table,
    mark_deck_ready_from_table,
    report_from_table,
    sign_sheet_from_table,
)

pytestmark = pytest.mark.django_db


# A table's code reveals nothing (D6)


def test_without_named_actors_two_private_windows_read_both_plans(monkeypatch):
    monkeypatch.setattr(deck_ready, "is_named", lambda placement: True)
    duel = duel_of(table_reports="agreed")
    tokens_of(duel.event)
    for name, where in zip(("one", "two"), seats_at(duel.match), strict=True):
        mark_deck_ready_from_table(table_actor(duel.event, name=name), where, 1, database_now())
    assert len(revealed_plans(table_actor(duel.event), fresh(duel.match), database_now())) == 2


def test_one_window_places_for_one_seat_alone():
    duel = duel_of(table_reports="agreed")
    tokens_of(duel.event)
    first, second = seats_at(duel.match)
    one = table_actor(duel.event)
    mark_deck_ready_from_table(one, first, 1, database_now())
    assert refusal(lambda: mark_deck_ready_from_table(one, second, 1, database_now())) == "other_seat"
    assert refusal(lambda: report_from_table(one, second, score(2, 0), database_now())) == "other_seat"


def test_where_codes_report_nothing_they_claim_and_place_nothing():
    duel = duel_of(table_reports="off")
    client, where = phone(tokens_of(duel.event)[1]), seats_at(duel.match)[0]
    say(client, duel.match, "claim", seat=where.pk)
    say(client, duel.match, "place", game=1)
    assert "table_seats" not in client.session
    assert not duel.match.placements.exists()


def test_the_word_of_the_players_themselves_reveals_what_codes_marked():
    duel = duel_of(table_reports="agreed")
    tokens_of(duel.event)
    for name, where in zip(("one", "two"), seats_at(duel.match), strict=True):
        mark_deck_ready_from_table(table_actor(duel.event, name=name), where, 1, database_now())
    mark_deck_ready(duel.here[0], duel.seat(duel.here[0]), 1, database_now())
    assert revealed_plans(duel.here[0], duel.fresh, database_now()) == ()
    mark_deck_ready_for(account("olive"), duel.seat(duel.here[1]), 1, database_now())
    assert len(revealed_plans(table_actor(duel.event), duel.fresh, database_now())) == 2
    entries = LedgerEntry.objects.filter(stream=duel.event.stream, act="deck.revealed")
    assert entries.count() == 1


def test_a_judge_takes_back_what_a_code_marked_by_mistake():
    duel = duel_of(table_reports="agreed")
    juno = staff(duel.event, "juno", Role.Name.JUDGE)
    tokens_of(duel.event)
    first, second = seats_at(duel.match)
    mark_deck_ready(duel.here[0], duel.seat(duel.here[0]), 1, database_now())
    other = second if duel.seat(duel.here[0]) == first else first
    mark_deck_ready_from_table(table_actor(duel.event), other, 1, database_now())
    for where in (first, second):
        undo_deck_ready(juno, where, 1, "placed by mistake", database_now())
    assert not duel.match.placements.exists()
    mark_deck_ready(duel.here[0], duel.seat(duel.here[0]), 1, database_now())
    mark_deck_ready(duel.here[1], duel.seat(duel.here[1]), 1, database_now())
    assert refusal(lambda: undo_deck_ready(juno, first, 1, "too late", database_now())) == "all_placed"


# A table's code agrees for nobody who has a name (T5)

WAYS = ("account", "link", "neither")
PHONES = ("same phone", "same address", "two addresses")


def table_of(*ways: str, **changes: object) -> tuple[Tournament, Match]:
    """Two players who can act as said, paired, a code on their table."""
    held = event(**{"table_reports": "agreed", **changes})
    for number, way in enumerate(ways):
        name = ("ada", "ben")[number]
        sign_up(account(name), held, account(name).person, database_now())
        person = account(name).person
        if way != "account":
            type(person).objects.filter(pk=person.pk).update(user=None)
        if way == "link":
            issue_personal_link(person, account("olive"), database_now(), scope=held.stream)
    match = table(next_round(start_tournament(account("olive"), held, database_now())))
    tokens_of(held)
    return held, match


def settled_by_codes(held: Tournament, match: Match, phones: str) -> bool:
    """Whether the code alone makes a result count: somebody tries by report and agreement, and by two equal reports."""
    first, second = seats_at(match)
    one = table_actor(held, name="one")
    two = one if phones == "same phone" else table_actor(held, name="two")
    report = report_from_table(one, first, score(2, 0), database_now()).report
    for act in (
        lambda: agree_from_table(two, report, second, database_now()),
        lambda: report_from_table(two, second, score(2, 0), database_now()),
    ):
        try:
            act()
        except DomainError:
            continue
    match.refresh_from_db()
    return match.accepted_report_id is not None


@pytest.mark.parametrize(
    ("reports", "told"), [("staff", "the staff confirm"), ("agreed", "agrees there, or the staff")]
)
def test_nobody_is_offered_an_agreement_that_the_staff_give(reports, told):
    """A code of the table spoke for Ada, who has an account: what Ben would agree to does not count yet."""
    duel = duel_of(table_reports=reports)
    tokens_of(duel.event)
    ada, ben = duel.here
    report = report_from_table(table_actor(duel.event), duel.seat(ada), score(2, 0), database_now()).report
    page = text_of(browser(ben).get(url(duel.event, "my/")).content.decode())
    refused = refusal(lambda: confirm_report(ben, report, database_now(), seat=duel.seat(ben)))
    offers = 'value="confirm"' in browser(ben).get(url(duel.event, "my/")).content.decode()
    assert (refused in {"staff_agree", "player_agrees"}, told in page, offers) == (True, True, False)


@pytest.mark.parametrize(("one", "other"), [*product(WAYS, WAYS)])
def test_codes_settle_for_those_alone_who_can_act_in_no_other_way(one, other, many, seed):
    for phones in many(PHONES, (PHONES[seed % 3], "two addresses")):
        held, match = table_of(one, other)
        expected = one == other == "neither" and phones != "same phone"
        assert settled_by_codes(held, match, phones) is expected, phones
        Tournament.objects.all().update(visibility="private")
        forget_players()


def forget_players() -> None:
    """Let the next event begin with new players of the same names."""
    for name in ("ada", "ben"):
        user = account(name).user
        user.username = f"{name}{user.pk}"
        user.save()


def test_without_the_guard_codes_settle_for_everybody(monkeypatch):
    monkeypatch.setattr(reports, "seats_with_names", lambda tournament, seats: set())
    assert settled_by_codes(*table_of("account", "link"), "two addresses")


def test_a_player_does_not_report_for_the_other_by_code_and_agree_to_it_by_name():
    held, match = table_of("account", "account")
    by_code, by_name = seats_at(match)
    report = report_from_table(table_actor(held), by_code, score(0, 2), database_now()).report
    rival = account(by_name.entry.members.get().person.user.username)
    assert refusal(lambda: confirm_report(rival, report, database_now(), seat=by_name)) == "player_agrees"
    own = account(by_code.entry.members.get().person.user.username)
    named = report_result(own, match, score(0, 2), database_now(), seat=by_code)
    assert (named.status, named.report.role) == (Status.WAITING, "player")
    assert confirm_report(rival, named.report, database_now(), seat=by_name).status is Status.ACCEPTED


def test_no_code_signs_a_sheet_for_who_has_a_name():
    held = doomlings(table_reports="agreed")
    match = opened(played(held))
    tokens_of(held, 1)
    write(fresh(match), 9, 7, 5, 3)
    revision = file(match, 1)
    work()
    named = seat(match, 2)
    issue_personal_link(named.member.person, account("olive"), database_now(), scope=held.stream)
    two = table_actor(held, name="two")
    assert refusal(lambda: sign_sheet_from_table(two, seats_at(match)[1], revision, database_now())) == "player_signs"
    sign_sheet_from_table(table_actor(held, name="three"), seats_at(match)[2], revision, database_now())
    for place, offered in ((1, False), (3, True)):  # nor does its page offer to
        client = phone(tokens_of(held)[1])
        say(client, match, "claim", seat=seats_at(match)[place].pk)
        html = client.get(url(held, "table/sheet/tally/")).content.decode()
        assert ('name="place"' in html, "signs with their account or link" in html) == (offered, not offered)


# Whoever made a link or code is nobody by it at the own table (A8)


def made_by_kit(when: str) -> tuple[Tournament, Match, PersonalLink]:
    """Kit plays Ann and keeps the scores; he made her link before or after the round was paired."""
    held = event(1, table_reports="agreed", scorekeepers_issue=True)
    kit = staff(held, "kit", Role.Name.SCOREKEEPER)
    sign_up(kit, held, kit.person, database_now())
    if when == "before":
        issue_entry_link(kit, entry(held, "Ada"), database_now())
    match = table(next_round(start_tournament(account("olive"), held, database_now())))
    if when == "after":
        issue_personal_link(entry(held, "Ada").members.get().person, kit, database_now(), scope=held.stream)
    return held, match, PersonalLink.objects.get(scope=held.stream)


def reported_by_kit(match: Match):
    """Kit's own report, and the seat of Ada."""
    own, hers = sorted(seats_at(match), key=lambda each: each.entry.name != "kit")
    won = score(2, 0) if own.order == 1 else score(0, 2)
    return report_result(account("kit"), match, won, database_now(), seat=own), hers


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("way", ["link", "another account"])
def test_the_issuer_confirms_nothing_at_the_own_match(when, way):
    _held, match, link = made_by_kit(when)
    answer, hers = reported_by_kit(match)
    ada = actor_of_link(link)
    if way == "another account":
        sock = account("sock")
        link_person_to_user(link.person, sock.user, sock, database_now(), link=link)
        ada = sock
    assert refusal(lambda: confirm_report(ada, answer.report, database_now(), seat=hers)) == "issuer_plays"
    assert refusal(lambda: report_result(ada, match, score(2, 0), database_now(), seat=hers)) == "issuer_plays"
    assert refusal(lambda: mark_deck_ready(ada, hers, 1, database_now())) == "issuer_plays"
    if way == "link":
        assert not may_see_own_list(ada, hers.member)


def test_without_the_guard_the_issuer_confirms_the_own_report(monkeypatch):
    monkeypatch.setattr(permissions, "issuer_plays", lambda actor, match: False)
    _held, match, link = made_by_kit("before")
    answer, hers = reported_by_kit(match)
    assert confirm_report(actor_of_link(link), answer.report, database_now(), seat=hers).status is Status.ACCEPTED


def test_what_came_by_a_link_names_its_issuer():
    held = running()
    match = table(next_round(held))
    first = seats_at(match)[0]
    issue_entry_link(account("olive"), first.entry, database_now())
    link = PersonalLink.objects.get(scope=held.stream)
    report = report_result(actor_of_link(link), match, score(2, 0), database_now(), seat=first).report
    told = LedgerEntry.objects.filter(stream=held.stream, act="result.reported").get().subjects
    assert report.issuer == told["issuer"] == account("olive").user.pk
    assert told["link"] == link.pk


def test_a_scorekeeper_makes_links_only_where_allowed_and_for_no_opponent():
    held, _match, _link = made_by_kit("before")
    opponent = entry(held, "Ada")
    assert refusal(lambda: issue_entry_link(account("kit"), opponent, database_now())) == "own_opponent"
    mailed = {"email": "kit@example.org"}
    assert refusal(lambda: change_member(account("kit"), opponent, 1, database_now(), **mailed)) == "own_opponent"
    Tournament.objects.filter(pk=held.pk).update(scorekeepers_issue=False)
    client = browser(account("kit"))
    assert client.post(f"/e/{held.slug}/manage/entries/{opponent.number}/link/").status_code == 403
    assert client.post(f"/e/{held.slug}/manage/tables/", {"first": 1, "last": 2}).status_code == 403
    assert client.post(f"/e/{held.slug}/manage/entries/{opponent.number}/revoke-links/").status_code in (403, 404)


def test_the_code_of_a_table_is_nobody_at_its_issuers_match():
    held, match, _link = made_by_kit("before")
    held.refresh_from_db()
    tokens = tokens_of(held)
    held.table_codes.update(issued_by=account("kit").user)
    own = next(each for each in seats_at(match) if each.entry.name != "kit")
    PersonalLink.objects.all().delete()
    acts = [
        lambda: report_from_table(table_actor(held), own, score(2, 0), database_now()),
        lambda: mark_deck_ready_from_table(table_actor(held), own, 1, database_now()),
    ]
    assert tokens
    assert [refusal(act) for act in acts] == ["issuer_plays"] * 2


# One link a player, for a time, and revoked for good


def test_a_new_link_ends_the_old_one_and_every_link_expires():
    held = running()
    token, newer = (issue_entry_link(account("olive"), entry(held, "Ada"), database_now()) for _ in range(2))
    assert [browser().get(f"/p/{each}/").status_code for each in (token, newer)] == [404, 302]
    link = PersonalLink.objects.get(scope=held.stream, revoked_at=None)
    assert link.expires_at > database_now() + timedelta(days=30)
    finish_tournament(account("olive"), held, now := database_now(), early="rain")
    link.refresh_from_db()
    assert link.expires_at == now + timedelta(days=7)


def revoked() -> tuple[Tournament, int]:
    """The organiser revokes a link; the number of that act in the log."""
    held = running(scorekeepers_issue=True)
    staff(held, "kit", Role.Name.SCOREKEEPER)
    issue_entry_link(account("kit"), entry(held, "Ada"), database_now())
    revoke_entry_links(account("olive"), entry(held, "Ada"), database_now())
    return held, LedgerEntry.objects.get(stream=held.stream, act="entry.links_revoked").sequence


def test_nobody_but_organisers_undoes_what_another_revoked():
    held, sequence = revoked()
    assert refusal(lambda: undo_act(account("kit"), held, sequence, database_now())) == "not_allowed"
    assert not PersonalLink.objects.filter(scope=held.stream, revoked_at=None).exists()
    undo_act(account("olive"), held, sequence, database_now())
    assert PersonalLink.objects.filter(scope=held.stream, revoked_at=None).count() == 1


def test_without_the_guard_a_scorekeeper_brings_the_link_back(monkeypatch):
    monkeypatch.setattr(undoing, "OF_SECURITY", frozenset())
    held, sequence = revoked()
    undo_act(account("kit"), held, sequence, database_now())
    assert PersonalLink.objects.filter(scope=held.stream, revoked_at=None).count() == 1


def test_a_newer_link_keeps_a_revoked_one_dead():
    held, sequence = revoked()
    issue_entry_link(account("olive"), entry(held, "Ada"), database_now())
    with pytest.raises(Conflict):
        undo_act(account("olive"), held, sequence, database_now())
    assert PersonalLink.objects.filter(scope=held.stream, revoked_at=None).count() == 1


# Nobody is voted away (a player's "did not come")


def voted_away(*, by_staff: bool = False) -> Match:
    """Two at a table of three say that the third, who has a link, did not come; they file and sign."""
    held = doomlings(3)
    match = opened(played(held))
    third = seat(match, 3)
    issue_personal_link(third.member.person, account("olive"), database_now(), scope=held.stream)
    write(fresh(match), 9, 7)
    who, own = (account("olive"), None) if by_staff else (player(match, 1), seat(match, 1))
    mark_absence(who, fresh(match), 3, True, database_now(), seat=own)
    revision = file(match, 1)
    work()
    sign(match, revision, 1, 2)
    match.refresh_from_db()
    return match


def test_who_could_say_so_is_not_made_absent_by_the_others():
    match = voted_away()
    assert match.state == Match.State.REPORTED
    report = match.reports.get()
    refused = refusal(lambda: confirm_report(player(match, 1), report, database_now(), seat=seat(match, 1)))
    assert refused == "staff_agree"
    assert confirm_report(account("olive"), report, database_now()).status is Status.ACCEPTED


def test_what_staff_say_of_the_absent_needs_no_second_word():
    assert voted_away(by_staff=True).state == Match.State.DONE


def test_without_the_guard_two_vote_the_third_away(monkeypatch):
    monkeypatch.setattr(sheets, "is_absence_doubtful", lambda *given: False)
    assert voted_away().state == Match.State.DONE


def voted_at_table(*, named: bool = True) -> tuple[Match, ResultReport]:
    """Without sheets: the first of three reports that the other two did not come, of whom one can say so by a link."""
    match = table(next_round(running(3, game="doomlings", best_of=1, score_sheets=False)))
    if named:
        issue_personal_link(seat(match, 3).member.person, account("olive"), database_now(), scope=stream_of(match))
    said = no_show(3, (1, 2), MatchLength(1))
    return match, report_result(player(match, 1), match, said, database_now(), seat=seat(match, 1)).report


def stream_of(match: Match) -> str:
    """The scope of links to its event."""
    return match.round.stage.tournament.stream


def by_second(match: Match, report: ResultReport, act: str):
    """The second player agrees to that, or reports the same."""
    where, now = seat(match, 2), database_now()
    if act == "agrees":
        return confirm_report(player(match, 2), report, now, seat=where)
    return report_result(player(match, 2), match, as_result(report), now, seat=where)


def test_without_sheets_too_staff_agree_that_who_could_say_so_did_not_come():
    match, report = voted_at_table()
    assert refusal(lambda: by_second(match, report, "agrees")) == "absence_doubtful"
    assert by_second(match, report, "reports the same").status is Status.WAITING
    match.refresh_from_db()
    assert (match.state, match.reports.count()) == (Match.State.REPORTED, 1)
    assert confirm_report(account("olive"), report, database_now()).status is Status.ACCEPTED


def test_who_has_no_way_to_say_so_is_absent_by_the_word_of_two():
    match, report = voted_at_table(named=False)
    assert by_second(match, report, "agrees").status is Status.ACCEPTED


@pytest.mark.parametrize("act", ["agrees", "reports the same"])
def test_without_the_guard_two_vote_the_third_away_without_sheets(act, monkeypatch):
    monkeypatch.setattr(results, "is_absence_doubtful", lambda *given: False)
    assert by_second(*voted_at_table(), act).status is Status.ACCEPTED
