"""Who may do what by API: every operation of the schema has a row here, asked by everybody."""

from functools import cache

import pytest
from django.db import transaction
from drf_spectacular.generators import SchemaGenerator

from decks.services.house_formats import make_house_format
from tests.tournaments.api.callers import caller
from tests.tournaments.factories import NOW, account, entry, event, next_round, staff, table
from tournaments.entries.services.entries import sign_up
from tournaments.events.services.events import start_tournament
from tournaments.events.services.staff import invite_staff
from tournaments.leagues.services import LeagueDraft, create_league
from tournaments.models import Entry, Role, Round, StaffInvite, Tournament

pytestmark = pytest.mark.django_db

CAST = ("nobody", "mallory", "ada", "kit", "juno", "olive", "hana", "cora", "sten")
"""Hana is head judge, Cora helps at the check-in, Sten looks after the stream."""
SIGNED_IN = frozenset(CAST[1:])
EVERYBODY = frozenset(CAST)
STAFF = frozenset({"kit", "juno", "olive"})
OLIVE = frozenset({"olive"})
ROWS = {
    "cards_list decks_check events_list games_list tokens_create tallies_compute": EVERYBODY,
    "game_retrieve scoring_rules_retrieve card_retrieve card_names": EVERYBODY,
    "rules_retrieve rules_search rules_format_rules": EVERYBODY,
    "events_retrieve entries_list entries_retrieve": EVERYBODY,
    "rounds_list rounds_fairness rounds_retrieve rounds_matches matches_retrieve": EVERYBODY,
    "changes_retrieve": frozenset({"olive"}),
    "statistics_retrieve players_retrieve": EVERYBODY,
    "jobs_list jobs_retry stages_recommended": OLIVE,
    "log_verify": frozenset({"juno", "olive"}),
    "bring_create new_plan_retrieve me_retrieve me_partial_update me_data me_erase": SIGNED_IN,
    "guests_list guests_take_over guests_give_back": SIGNED_IN,
    "webhooks_list webhooks_create webhooks_remove webhooks_resend": OLIVE,
    "standings_list standings_csv standings_why file_public feature_retrieve": EVERYBODY,
    "standings_what_if": STAFF,
    "file_whole plan_retrieve plan_start plan_progress plan_stop": OLIVE,
    "event_decks_list entry_deck_published entry_deck_export": EVERYBODY,
    "events_create entries_sign_up invites_accept tokens_list tokens_revoke tokens_revoke_one": SIGNED_IN,
    "own_decks_list own_decks_create own_decks_retrieve own_decks_update own_decks_destroy": SIGNED_IN,
    "own_decks_versions own_decks_export": SIGNED_IN,
    "card_lists_list card_lists_create card_lists_retrieve card_lists_update card_lists_destroy": frozenset(),
    "card_lists_announce card_lists_recheck rechecks_retrieve rechecks_resume rechecks_cancel": frozenset(),
    "card_imports_preview card_imports_create card_imports_samples card_imports_remove_set": frozenset(),
    "house_formats_list house_formats_create": SIGNED_IN,
    "house_formats_retrieve house_formats_update": frozenset({"olive"}),
    "events_update events_partial_update events_open events_close": OLIVE,
    "events_start events_finish events_cancel events_reopen events_move events_take_back_move": OLIVE,
    "entries_create entries_seen not_seen_list": STAFF,
    "entries_check_in entries_undo_check_in": STAFF | {"cora"},
    "entries_drop entries_return entries_partial_update entry_byes_retrieve": STAFF,
    "entries_personal_link": frozenset({"juno", "olive"}),
    "entry_needs_retrieve entry_needs_fix_table entry_needs_note entry_needs_keep_apart "
    "entry_needs_let_meet": frozenset({"juno", "olive"}),
    "entry_byes_award entry_byes_take_back": OLIVE,
    "my_entry_retrieve my_entry_drop my_deck_retrieve my_deck_update my_deck_history "
    "my_stack_retrieve my_stack_update": frozenset({"ada"}),
    "my_entry_needs my_penalties_list": frozenset({"ada"}),
    "stages_retrieve bracket_retrieve crosstable_retrieve": EVERYBODY,
    "stages_update stages_take_back next_stage_retrieve next_stage_begin": OLIVE,
    "penalties_list no_shows_list": frozenset({"juno", "olive"}),
    "penalties_create penalties_take_back": frozenset({"juno"}),
    "entry_deck_look entry_deck_update entry_deck_check entry_deck_reopen entry_deck_shut": frozenset({"juno"}),
    "deck_checks_list deck_checks_draw": frozenset({"juno"}),
    "rounds_create rounds_publish rounds_withdraw": OLIVE,
    "arrangement_retrieve arrangement_changes arrangement_preview arrangement_change": frozenset({"juno", "olive"}),
    "matches_report matches_confirm matches_dispute": STAFF | {"ada"},
    "client_codes_create client_codes_replays client_codes_replay": STAFF | {"ada"},
    "client_results_send": EVERYBODY,
    "sheets_retrieve sheets_save sheets_tally sheets_file sheets_sign sheets_absent": STAFF | {"ada"},
    "sheets_correct": STAFF,
    "matches_correct matches_uphold round_sheets_list staff_list": STAFF,
    "correction_preview drop_preview": STAFF,
    "placements_place": frozenset({"ada"}),
    "placements_place_for": STAFF,
    "placements_begin placements_draft": STAFF | {"ada"},
    "placements_take_back": frozenset({"juno"}),
    "staff_remove invites_list invites_create invites_revoke": OLIVE,
    "leagues_list leagues_retrieve leagues_standings leagues_events": EVERYBODY,
    "leagues_create": SIGNED_IN,
    "leagues_update leagues_add_event leagues_remove_event leagues_finish leagues_reopen": OLIVE,
    "copies_copy copies_rehearse copies_play copies_play_on copies_discard": OLIVE,
    "outlook_list outlook_ask outlook_stop": frozenset({"juno", "olive"}),
    "outlook_show": OLIVE,
    "clock_retrieve": EVERYBODY,
    "clock_start clock_pause clock_resume clock_stop clock_change clock_reset": frozenset({"juno", "olive"}),
    "clock_extra_time": frozenset({"juno", "olive"}),
    "announcements_list": EVERYBODY,
    "announcements_create announcements_withdraw": frozenset({"juno", "olive"}),
    "calls_list calls_claim calls_release calls_escalate calls_resolve": frozenset({"juno", "olive"}),
    "match_call_retrieve match_call_create match_call_withdraw": STAFF | {"ada"},
    "log_list log_csv rounds_recompute": frozenset({"juno", "olive"}),
    "undo_list undo_act statistics_csv leagues_csv": EVERYBODY,
    "entries_check_in_several": STAFF | {"cora"},
    "entries_csv entries_add_member entries_change_member entries_remove_member rounds_report": STAFF,
    "entries_personal_links entries_link_mails entries_mail_links entries_revoke_links": frozenset({"juno", "olive"}),
    "entries_join": SIGNED_IN,
    "my_entry_check_in my_matches_list my_team_retrieve": frozenset({"ada"}),
    "table_codes_list table_codes_issue table_codes_renew table_codes_revoke": frozenset({"juno", "olive"}),
    "door_retrieve door_open door_close door_claims door_answer_claim": frozenset({"juno", "olive"}),
    "announcements_withdrawn announcements_post_again": frozenset({"juno", "olive"}),
    "event_decks_register entry_deck_allow": frozenset({"juno"}),
    "league_organisers_list league_organisers_add league_organisers_remove": OLIVE,
    "league_players_list league_players_join league_players_part": OLIVE,
}
MATRIX = {
    operation: allowed | ({"hana"} if "juno" in allowed else frozenset())
    for row, allowed in ROWS.items()
    for operation in row.split()
}
"""What a judge may, a head judge may."""


@cache
def operations():
    """(operation id, method, path) of everything the schema describes."""
    paths = SchemaGenerator().get_schema(public=True)["paths"]
    return [(each["operationId"], method, path) for path, item in paths.items() for method, each in item.items()]


def crowd(**changes):
    """A running event with everybody in it, and the ids its addresses need."""
    tournament = event(3, **changes)
    ada = account("ada")
    sign_up(ada, tournament, ada.person, NOW)
    staff(tournament, "kit", Role.Name.SCOREKEEPER)
    staff(tournament, "juno", Role.Name.JUDGE)
    for name, role in (("hana", Role.Name.HEAD_JUDGE), ("cora", Role.Name.CHECK_IN), ("sten", Role.Name.STREAM)):
        staff(tournament, name, role)
    round_ = next_round(start_tournament(account("olive"), tournament, NOW))
    invite_staff(account("olive"), tournament, Role.Name.JUDGE, NOW)
    own = entry(tournament, "ada").seats.get().match
    house = make_house_format(account("olive"), "doom_pile", "standard", "Singletons", {"copies": 1}, NOW.date(), NOW)
    league = create_league(account("olive"), LeagueDraft("Season", (3, 1)), NOW)
    ids = {"league": league.slug, "slug": tournament.slug, "number": 1, "match_id": own.pk, "deck_id": "none-of-yours"}
    ids |= {
        "game": "doomlings",
        "game_format": "classic",
        "house_format": house.slug,
        "card_set": "none",
        "key": "none",
        "announcement_id": 1,
        "call_id": 1,
        "token_id": "0",
        "webhook_id": 1,
        "claim_id": 1,
        "replay_id": 1,
        "list_id": 1,
        "recheck_id": "none",
        "run_id": "00000000-0000-4000-8000-000000000000",
        "job_id": "00000000-0000-4000-8000-000000000000",
        "player_id": "unknown",
    }
    invite = StaffInvite.objects.get(tournament=tournament, accepted_at=None)
    return {**ids, "role_id": tournament.roles.first().pk, "invite_id": invite.pk, "penalty_id": 1, "place": 1}, round_


@pytest.fixture(scope="module")
def ids(shared_db):
    """The ids of an event that the tests share; what they do to it is taken back."""
    return crowd()[0]


def ask(client, method, path):
    """The answer to an empty request; what it did is taken back."""
    with transaction.atomic():
        response = getattr(client, method)(path, *([{}] if method != "get" else []), format="json")
        transaction.set_rollback(True)
    assert response.status_code < 500
    return response


def in_turn(start, share):
    """One in `share` of the operations, counted from `start`."""
    return [each for number, each in enumerate(operations(), start) if number % share == 0]


@pytest.mark.parametrize("name", CAST)
def test_every_operation_lets_in_whom_the_matrix_names(ids, name):
    client = caller("" if name == "nobody" else name)
    denied = (401,) if name == "nobody" else (403,)
    let_in = {
        operation: ask(client, method, path.format(**ids)).status_code not in denied
        for operation, method, path in operations()
    }
    assert let_in == {operation: name in allowed for operation, allowed in MATRIX.items()}


@pytest.mark.parametrize("name", ["nobody", "mallory"])
@pytest.mark.parametrize("hidden", [{"visibility": "private"}, {"state": "draft"}], ids=["private", "draft"])
def test_hidden_event_answers_like_an_unknown_one(ids, name, hidden, many, seed):
    """Each operation is asked in two of these four cases, in the others by another seed; with `--long` in all."""
    if "state" in hidden:
        ids = {**ids, "slug": event().slug}
    assert Tournament.objects.filter(slug=ids["slug"]).update(**hidden) == 1
    client = caller("" if name == "nobody" else name)
    for _operation, method, path in in_turn(seed + (name == "nobody") + ("state" in hidden), many(1, 2)):
        if "{slug}" in path:
            here = ask(client, method, path.format(**ids))
            nowhere = ask(client, method, path.format(**{**ids, "slug": "no-such-event"}))
            assert (here.status_code, here.content) == (404, nowhere.content), path


def test_ids_of_another_event_are_not_found(ids):
    other, other_round = crowd(name="Another cup")
    olive = caller("olive")
    foreign = {**ids, "match_id": table(other_round).pk, "role_id": other["role_id"], "invite_id": other["invite_id"]}
    for operation, method, path in operations():
        if {"{match_id}", "{role_id}", "{invite_id}"} & set(path.split("/")) and "olive" in MATRIX[operation]:
            assert ask(olive, method, path.format(**foreign)).status_code in (400, 404), path
    assert ask(olive, "get", f"/api/v1/events/{ids['slug']}/matches/{foreign['match_id']}/").status_code == 404
    listed = ask(olive, "get", f"/api/v1/events/{ids['slug']}/entries/").json()
    assert listed["count"] == Entry.objects.filter(tournament__slug=ids["slug"]).count()


def test_unpublished_round_is_for_officials(ids):
    Round.objects.update(state="paired")
    for name, seen in (("", False), ("ada", False), ("kit", False), ("juno", True), ("olive", True)):
        client, path = caller(name), f"/api/v1/events/{ids['slug']}/"
        assert client.get(f"{path}rounds/").json()["count"] == int(seen)
        for address in ("rounds/1/", "rounds/1/matches/", f"matches/{ids['match_id']}/"):
            assert client.get(path + address).status_code == (200 if seen else 404)


def test_removed_role_is_gone_at_the_next_request(ids):
    kit, path = caller("kit"), f"/api/v1/events/{ids['slug']}/staff/"
    role = next(row for row in kit.get(path).json()["results"] if row["user"] == "kit")
    assert caller("olive").delete(f"{path}{role['id']}/").status_code == 204
    assert kit.get(path).status_code == 403


NUMBERS = ("0", "-1", "1.5", "x", str(2**31), str(2**63), str(10**18 - 1), "9" * 400, "١")
ABSURD = ("number", "match_id", "role_id", "invite_id", "place")


@pytest.mark.sqlite
@pytest.mark.parametrize("number", NUMBERS)
def test_absurd_ids_are_not_found(ids, number, many, seed):
    """Each operation is asked for a third of the numbers, others by the run's seed; with `--long` for all."""
    olive = caller("olive")
    for _operation, method, path in in_turn(seed + NUMBERS.index(number), many(1, 3)):
        if "number}" in path or "_id}" in path:
            absurd = {key: number if key in ABSURD else value for key, value in ids.items()}
            assert ask(olive, method, path.format(**absurd)).status_code in (400, 403, 404), path
