"""Card lists that admins write: drafts count nowhere, announced versions are final, nothing is retroactive."""

from datetime import date, timedelta

import pytest

from accounts.actors import Actor
from accounts.models import User
from decks.models import CardList, Recheck
from decks.selectors.card_lists import differences, group_list, version_before
from decks.selectors.cards import cards_of
from decks.selectors.legality import announced_lists, card_lists_in_force, coming_lists, judge_decklist, list_value
from decks.services.card_lists import ListDraft, announce_list, change_draft, delete_draft, draft_list
from decks.services.decks import read_decklist
from journal.ledger.selectors import verify_stream
from journal.models import LedgerEntry
from rules_engine.errors import Conflict, DomainError, NotFound
from rules_engine.systems import get_system
from tests.decks.conftest import NOW
from tests.refusals import refusal

pytestmark = pytest.mark.sqlite

TODAY = NOW.date()
SOON = TODAY + timedelta(days=30)
DOOM = ("doom_pile", "standard")
TROOPER = ("doomtrooper", "tournament-1997")


@pytest.fixture
def root(db):
    return Actor(User.objects.create_user("root", is_staff=True), None, "session")


def draft(key=DOOM, limits=None, **changes):
    values = {"name": "Spring list", "valid_from": SOON, "limits": limits or {"": {"ash ledger": 0}}}
    return ListDraft(*key, **{**values, **changes})


def write(root, now=NOW, **changes):
    return draft_list(root, draft(**changes), now)


def legal_on(day, text):
    return judge_decklist(read_decklist(text, *DOOM).decklist, *DOOM, day).report.legal


def test_a_draft_is_in_force_nowhere(catalogue, root, legal_text):
    row = write(root)
    assert (row.state, row.slug, list_value(row).limits) == ("draft", "spring-list", {"ash ledger": 0})
    assert "spring-list" not in [each.slug for each in card_lists_in_force(*DOOM, SOON)]
    assert coming_lists(*DOOM, TODAY) == ()
    assert legal_on(SOON, legal_text) is True


def test_an_announced_list_counts_from_its_day_on(catalogue, root):
    row = announce_list(root, (row := write(root)), NOW, row.digest)
    assert (row.state, row.announced_at, row.announced_by) == ("announced", NOW, root.user)
    assert [each.slug for each in coming_lists(*DOOM, TODAY)] == ["spring-list"]
    assert "spring-list" not in [each.slug for each in announced_lists(*DOOM, SOON - timedelta(days=1))]
    assert "spring-list" in [each.slug for each in announced_lists(*DOOM, SOON)]
    assert coming_lists(*DOOM, SOON) == ()


def test_the_next_version_takes_the_place_of_the_one_before(catalogue, root):
    slug = card_lists_in_force(*DOOM, TODAY)[0].slug
    row = write(root, slug=slug, name="Sample list")
    announce_list(root, row, NOW, row.digest)
    assert [each.valid_from for each in card_lists_in_force(*DOOM, SOON)] == [SOON]
    assert [each.valid_from for each in card_lists_in_force(*DOOM, TODAY)] == [date(2026, 1, 1)]
    assert version_before(row).valid_from == date(2026, 1, 1)


def test_announcing_judges_all_decks_and_is_on_record(catalogue, root):
    row = write(root)
    announce_list(root, row, NOW, row.digest)
    assert Recheck.objects.get().card_list == row
    assert [each.act for each in LedgerEntry.objects.filter(stream="card-lists")] == [
        "list.drafted",
        "recheck.started",
        "list.announced",
    ]
    assert verify_stream("card-lists") == []


def test_an_announced_list_is_final(catalogue, root):
    row = write(root)
    announce_list(root, row, NOW, row.digest)
    for act in (
        lambda: change_draft(root, row, draft(), NOW),
        lambda: delete_draft(root, row, NOW),
        lambda: announce_list(root, row, NOW, row.digest),
    ):
        assert refusal(act) == "list_announced"


def test_a_draft_is_changed_and_deleted(catalogue, root):
    row = write(root)
    Recheck.objects.create(card_list=row, total=0, requested_at=NOW)
    changed = change_draft(root, row, draft(limits={"": {"glass widow": 1}}, name="Other"), NOW)
    assert (changed.slug, changed.name, changed.digest != row.digest) == ("spring-list", "Other", True)
    assert list_value(CardList.objects.get(pk=row.pk)).limits == {"glass widow": 1}
    assert not Recheck.objects.exists()
    delete_draft(root, row, NOW)
    assert not CardList.objects.filter(pk=row.pk).exists()
    with pytest.raises(NotFound):
        delete_draft(root, row, NOW)


def test_a_draft_changed_by_another_is_not_announced_unseen(catalogue, root):
    row = write(root)
    change_draft(root, row, draft(limits={"": {"glass widow": 1}}), NOW)
    with pytest.raises(Conflict, match="list_changed"):
        announce_list(root, row, NOW, row.digest)


def test_nothing_is_retroactive(catalogue, root):
    for day in (TODAY, TODAY - timedelta(days=1)):
        with pytest.raises(DomainError, match="list_too_early"):
            write(root, valid_from=day)
    row = write(root, valid_from=TODAY + timedelta(days=1))
    with pytest.raises(DomainError, match="list_too_early"):
        announce_list(root, row, NOW + timedelta(days=1), row.digest)
    assert CardList.objects.get(pk=row.pk).state == "draft"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"key": ("doomtrooper", "second-edition")}, "no_lists"),
        ({"key": ("doomlings", "standard")}, "no_lists"),
        ({"key": ("doom_pile", "nope")}, "unknown_format"),
        ({"name": "!?"}, "bad_list_name"),
        ({"name": "Doomdesk sample list", "slug": ""}, "bad_list_name"),
    ],
)
def test_what_cannot_be_a_list_is_refused(catalogue, root, changes, code):
    if changes.get("name") == "Doomdesk sample list":
        CardList.objects.filter(game="doom_pile").update(slug="doomdesk-sample-list")
    assert refusal(write, root, **changes) == code


def test_two_versions_of_a_list_cannot_share_a_day(catalogue, root):
    write(root)
    with pytest.raises(Conflict, match="list_on_that_day"):
        write(root, slug="spring-list")
    assert CardList.objects.filter(slug="spring-list").count() == 1


def test_a_list_by_variant_is_shown_by_card(catalogue, root):
    limits = {"": {"luna": 1, "attrition": None}, "two-team": {"luna": 0}, "head-to-head": {"ragathol": 2}}
    row = write(root, key=TROOPER, limits=limits)
    variants, cards = get_system("doomtrooper").get_format(TROOPER[1]).variants, cards_of("doomtrooper")
    groups = group_list(list_value(row), cards, variants)
    assert [(group.copies, [each.name for each in group.listings]) for group in groups] == [
        (1, ["LUNA"]),
        (None, ["ATTRITION"]),
        (-1, ["RAGATHOL"]),
    ]
    assert [(each.slug, copies) for each, copies in groups[0].listings[0].variants] == [("two-team", 0)]
    assert [group.copies for group in group_list(list_value(row), cards, variants, "lun")] == [1]


def test_differences_name_every_card_that_changes(catalogue, root):
    first = write(root, key=TROOPER, limits={"": {"luna": 1, "attrition": 1, "ragathol": 0}})
    second = write(root, key=TROOPER, limits={"": {"luna": 0, "ragathol": 0}, "two-team": {"ragathol": 1}}, name="Two")
    variants, cards = get_system("doomtrooper").get_format(TROOPER[1]).variants, cards_of("doomtrooper")
    found = differences(list_value(first), list_value(second), cards, variants)
    assert [(each.name, each.before.copies, each.after.copies) for each in found] == [
        ("ATTRITION", 1, -1),
        ("LUNA", 1, 0),
        ("RAGATHOL", 0, 0),
    ]
    assert [each.name for each in differences(None, list_value(first), cards, variants)] == [
        "ATTRITION",
        "LUNA",
        "RAGATHOL",
    ]
