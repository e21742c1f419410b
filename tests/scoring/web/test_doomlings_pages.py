"""A table of Doomlings without an event, page by page and without scripts."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from accounts.actors import ANONYMOUS
from journal.clock import database_now
from scoring.models import ScoreSheet, SheetPart
from scoring.sheets.forms.piles import MAX_OFFERS, MAX_TEXT, read_pile, replace_line
from scoring.sheets.selectors import content_of
from scoring.sheets.services import open_sheet, prune_sheets
from scoring.sheets.web.standalone import OpeningThrottle
from scoring.tasks import tally_sheet
from tests.queries import count_queries

pytestmark = pytest.mark.django_db
USUAL = {"ties": "shared", "check_limits": "on", "prosperous_world": "none", "second_dominant": "added"}


def phone(sheet: ScoreSheet, place: int | str) -> Client:
    """A phone at the table that writes for a place, or for everybody ("all")."""
    client = Client()
    assert client.post(f"{root(sheet)}me/", {"place": place}).status_code == 302
    return client


def begun(*names: str, **options: str) -> ScoreSheet:
    answer = Client().post("/scores/doomlings/", {"names": "\n".join(names), **USUAL, **options})
    assert answer.status_code == 302, answer.content.decode()
    return ScoreSheet.objects.latest("pk")


def root(sheet: ScoreSheet) -> str:
    return f"/scores/doomlings/{sheet.key}/"


def write(client: Client, sheet: ScoreSheet, place: int, **fields: object):
    """Save a part as the page would, seeing what is stored."""
    version = SheetPart.objects.get(sheet=sheet, place=place).version
    return client.post(f"{root(sheet)}parts/{place}/", {"act": "save", "version": version, **fields})


def filed(client: Client, sheet: ScoreSheet, **fields: str):
    """File, and do the worker's work."""
    answer = client.post(f"{root(sheet)}file/", {"anyway": "1", **fields})
    assert answer.status_code == 302
    tally_sheet(sheet.revisions.last().pk, "")
    return page(client, sheet, "tally/")


def page(client: Client, sheet: ScoreSheet, route: str = "") -> str:
    answer = client.get(root(sheet) + route)
    assert answer.status_code == 200, answer.headers
    return answer.content.decode()


def content(sheet: ScoreSheet, place: int) -> dict:
    return SheetPart.objects.get(sheet=sheet, place=place).content


def start_errors(*names: str, **options: str) -> str:
    answer = Client().post("/scores/doomlings/", {"names": "\n".join(names), **USUAL, **options})
    assert answer.status_code == 200
    return answer.content.decode()


def test_names_are_stored_with_single_spaces_and_without_invisible_signs() -> None:
    assert [each["name"] for each in begun("Ada\u00a0\tB", "می\u200cخواهم").players] == ["Ada B", "می\u200cخواهم"]
    assert "Names need 1 to 60 visible characters." in start_errors("Ada\u200b", "Ben")


def test_more_than_six_sit_down_as_the_faq_says() -> None:
    names = [f"Player {number}" for number in range(1, 10)]
    sheet = begun(*names)
    client = phone(sheet, "all")
    for place in range(1, 10):
        write(client, sheet, place, sum_face_value=str(place))
    assert '<p class="outcome">Player 9</p>' in filed(client, sheet)


def test_start_says_how_many_a_variation_is_made_for() -> None:
    assert "Choose Genetic Mishap for 1 player, or enter 2 or more." in start_errors("Ada")
    assert "Genetic Mishap is for 1 player, not 2." in start_errors("Ada", "Ben", genetic_mishap="on")
    five = start_errors(*"ABCDE", intelligent_design="on")
    assert "Intelligent Design is for 2 to 4 players, not 5." in five
    assert len(begun("Ada", genetic_mishap="on").players) == 1


def test_phone_picks_its_place_and_writes_there_alone() -> None:
    sheet = begun("Ada", "Ben")
    nobody = Client()
    assert "Who are you?" in page(nobody, sheet)
    assert nobody.get(f"{root(sheet)}parts/1/").headers["Location"] == root(sheet)
    ada = phone(sheet, 1)
    assert "Trait pile" in page(ada, sheet, "parts/1/")
    assert "catastrophe" in page(ada, sheet, "parts/0/")
    assert ada.get(f"{root(sheet)}parts/2/").status_code == 302
    assert ada.get(f"{root(sheet)}parts/3/").status_code == 404
    assert write(ada, sheet, 2, traits="Kidney").headers["Location"] == root(sheet)
    assert content(sheet, 2) == {}


def test_hand_and_total_of_another_player_are_not_shown_before_filing() -> None:
    sheet = begun("Ada", "Ben")
    write(phone(sheet, 1), sheet, 1, traits="Boredom\nAdorable", **{"ask-hand": "Sentience"})
    html = page(phone(sheet, 2), sheet)
    assert "Sentience" not in html
    assert "Adorable" not in html
    assert '<b class="score">' not in html
    assert '<b class="score">5</b>' in page(phone(sheet, 1), sheet)


def test_limits_count_no_card_of_a_part_that_the_phone_may_not_read() -> None:
    sheet = begun("Ada", "Ben")
    ada, ben, all_ = phone(sheet, 1), phone(sheet, 2), phone(sheet, "all")
    write(ada, sheet, 1, traits="Boredom", **{"ask-hand": "Apex Predator"})
    write(ben, sheet, 2, traits="Apex Predator")
    typed = write(ben, sheet, 2, traits="Apex Predator\nKidney", act="look").content.decode()
    for html in (page(ben, sheet), page(ben, sheet, "parts/2/"), page(ben, sheet, "parts/0/"), typed):
        assert "2 listed" not in html
        assert "A limit is broken" not in html
    assert "“Apex Predator”: 2 listed" in page(all_, sheet, "parts/2/")
    assert "“Apex Predator”: 2 listed" in filed(ben, sheet)
    assert "“Apex Predator”: 2 listed" in page(ben, sheet, "parts/2/")
    write(ben, sheet, 2, traits="Apex Predator\nKidney")
    assert "2 listed" not in page(ben, sheet, "parts/2/")


def test_question_that_a_hidden_card_asks_does_not_name_it() -> None:
    sheet = begun("Ada", "Ben")
    ada, ben = phone(sheet, 1), phone(sheet, 2)
    write(ada, sheet, 1, traits="Cranial Crest")
    write(ben, sheet, 2, traits="Kidney")
    html = page(ben, sheet, "parts/0/")
    assert "Cards in the discard pile?" in html
    assert "Cranial Crest" not in html
    assert "Cranial Crest: cards in the discard pile?" in page(ada, sheet, "parts/0/")


def test_pile_is_read_with_copies_and_loose_spelling() -> None:
    sheet = begun("Ada", "Ben")
    pile = "3 kidney\nSWARM x2, apex   predator\n2x Adorable;brute-strength"
    assert write(phone(sheet, 1), sheet, 1, traits=pile).headers["Location"] == root(sheet)
    names = ["Kidney"] * 3 + ["Swarm"] * 2 + ["Apex Predator", "Adorable", "Adorable", "Brute Strength"]
    assert content(sheet, 1) == {"traits": names}


def test_unknown_name_offers_near_ones_and_loses_nothing() -> None:
    sheet, typed = begun("Ada", "Ben"), "2 Kidny\nAdorable\nZzzzzz"
    ada = phone(sheet, 1)
    html = write(ada, sheet, 1, traits=typed, hand_size="3").content.decode()
    assert "No card has this name: “Kidny”, “Zzzzzz”." in html
    assert 'value="replace 1 Kidney"' in html
    assert 'value="3" id="id_hand_size_3" checked' in html
    assert content(sheet, 1) == {}
    html = write(ada, sheet, 1, traits=typed, act="replace 1 Kidney").content.decode()
    assert "2 Kidney\nAdorable\nZzzzzz</textarea>" in html
    assert content(sheet, 1) == {}


def test_cards_ask_their_questions_and_no_others() -> None:
    sheet = begun("Ada", "Ben")
    ada = phone(sheet, 1)
    assert "Your cards ask" not in page(ada, sheet, "parts/1/")
    answer = write(ada, sheet, 1, traits="Sentience\nFaith\nGMO\nAdorable")
    assert answer.headers["Location"] == f"{root(sheet)}parts/1/#asked"
    html = page(ada, sheet, "parts/1/")
    for asked in (
        "Sentience: which colour?",
        "Faith: which colour became which? – from",
        "GMO: what is it attached to?",
    ):
        assert asked in html
    assert "unanswered" in page(ada, sheet)
    answers = {
        "ask-choices-sentience": "red", "ask-choices-faith-from": "red", "ask-choices-faith-to": "blue",
        "ask-choices-gmo_host": "-",
    }  # fmt: skip
    answers["shown"] = " ".join(answers)
    answer = write(ada, sheet, 1, traits="Sentience\nFaith\nGMO\nAdorable", **answers)
    assert answer.headers["Location"] == root(sheet)
    chosen = {"Sentience": "red", "Faith": {"from": "red", "to": "blue"}, "GMO_host": None}
    assert content(sheet, 1)["choices"] == chosen
    assert "unanswered" not in page(ada, sheet)
    html = page(ada, sheet, "parts/1/")
    assert html.count(" checked") == 3
    assert '<option value="-" selected>' in html


def test_catastrophe_asks_everybody_who_is_already_ready() -> None:
    sheet = begun("Ada", "Ben")
    ada = phone(sheet, 1)
    write(ada, sheet, 1, traits="Adorable")
    write(ada, sheet, 0, **{"ask-catastrophe": "Deus Ex Machina"})
    assert "unanswered" in page(ada, sheet)
    write(ada, sheet, 1, traits="Adorable", **{"ask-drawn_face": "4"})
    assert content(sheet, 1) == {"traits": ["Adorable"], "drawn_face": 4}


def test_nothing_discarded_is_an_answer() -> None:
    sheet = begun("Ada", "Ben")
    ada = phone(sheet, 1)
    write(ada, sheet, 1, traits="Lily Pad\nAdorable", shown="ask-returned-lily-pad")
    assert content(sheet, 1)["returned"] == []
    assert "unanswered" not in page(ada, sheet)


HORSEMEN = "ask-discarded_at_worlds_end-the-four-horsemen"


@pytest.mark.parametrize("first", ["catastrophe", "pile"])
def test_part_is_not_ready_while_a_discard_is_due(first: str) -> None:
    """The gold text asks for one trait, in whatever order pile and catastrophe are entered."""
    sheet = begun("Ada", "Ben")
    client = phone(sheet, "all")
    steps = {"catastrophe": (0, {"ask-catastrophe": "The Four Horsemen"}), "pile": (1, {"traits": "Adorable"})}
    for step in (first, *(each for each in steps if each != first)):
        answer = write(client, sheet, steps[step][0], **steps[step][1])
    assert answer.headers["Location"].endswith("parts/1/#asked") == (first == "catastrophe")
    write(client, sheet, 2, traits="Kidney")
    assert "The Four Horsemen: traits to discard? Exactly 1." in page(client, sheet)
    assert "Missing: Ada" in page(client, sheet)
    write(client, sheet, 1, traits="Adorable", shown=HORSEMEN)
    html = page(client, sheet)
    assert "Missing: Ada" in html
    assert "Everybody is ready" not in html
    assert "A limit is broken" not in html
    client.post(f"{root(sheet)}file/")
    assert not sheet.revisions.exists()
    write(client, sheet, 1, traits="Adorable", shown=HORSEMEN, **{HORSEMEN: ["Adorable"]})
    assert "Everybody is ready" in page(client, sheet)
    assert '<p class="outcome">Ben</p>' in filed(client, sheet)


def test_sheet_filed_anyway_comes_back_for_a_discard_that_is_due() -> None:
    sheet = begun("Ada", "Ben")
    client = phone(sheet, "all")
    write(client, sheet, 0, **{"ask-catastrophe": "The Four Horsemen"})
    write(client, sheet, 1, traits="Adorable")
    write(client, sheet, 2, traits="Kidney")
    html = filed(client, sheet)
    assert "The sheet was returned" in html
    assert "“The Four Horsemen”: Ada discards 1 more of Adorable." in html


def test_two_discards_are_due_where_two_fit() -> None:
    sheet = begun("Ada", "Ben")
    client, shown = phone(sheet, "all"), "ask-discarded_at_worlds_end-planned-obsolescence"
    write(client, sheet, 0, **{"ask-catastrophe": "Planned Obsolescence"})
    write(client, sheet, 1, traits="Cybernetic\nLyonization\nBad", shown=shown, **{shown: ["Cybernetic"]})
    assert "Exactly 2." in page(client, sheet)
    both = {shown: ["Cybernetic", "Lyonization"]}
    write(client, sheet, 1, traits="Cybernetic\nLyonization\nBad", shown=shown, **both)
    assert "Exactly 2." not in page(client, sheet)


def test_discards_of_a_card_and_of_the_catastrophe_are_told_apart() -> None:
    """What Amatoxins take is no answer to the gold text, which then takes from what is left."""
    sheet = begun("Ada", "Ben")
    client = phone(sheet, "all")
    amatoxins, gold = "ask-discarded_by_effects-amatoxins", "ask-discarded_at_worlds_end-glacial-meltdown"
    pile = {"traits": "Amatoxins\nGills\nSpiny\nBad", "shown": amatoxins}
    write(client, sheet, 1, **pile, **{amatoxins: ["Gills"]})
    write(client, sheet, 0, **{"ask-catastrophe": "Glacial Meltdown"})
    assert "Glacial Meltdown: traits to discard? Exactly 1." in page(client, sheet)
    html = page(client, sheet, "parts/1/")
    assert re.findall(rf'name="{gold}" value="([^"]+)"[^>]*?( checked)?>', html) == [("Spiny", "")]
    write(client, sheet, 1, **{**pile, "shown": f"{amatoxins} {gold}"}, **{amatoxins: ["Gills"], gold: ["Spiny"]})
    assert (content(sheet, 1)["discarded_by_effects"], content(sheet, 1)["discarded_at_worlds_end"]) == (
        ["Gills"], ["Spiny"],
    )  # fmt: skip
    assert "Exactly 1." not in page(client, sheet)
    boxes = dict(
        re.findall(r'name="ask-discarded[^"]*" value="([^"]+)"[^>]*?( checked)?>', page(client, sheet, "parts/1/"))
    )
    assert boxes == {"Gills": " checked", "Spiny": " checked", "Bad": ""}


def test_gold_text_takes_what_a_recolored_pile_offers() -> None:
    sheet = begun("Ada", "Ben")
    client, gold = phone(sheet, "all"), "ask-discarded_at_worlds_end-glacial-meltdown"
    write(client, sheet, 0, **{"ask-catastrophe": "Glacial Meltdown"})
    faith = {"ask-choices-faith-from": "red", "ask-choices-faith-to": "blue"}
    pile = {"traits": "Faith\nAntlers", **faith, "shown": " ".join(faith)}
    assert write(client, sheet, 1, **pile).headers["Location"].endswith("#asked")
    write(client, sheet, 1, **{**pile, "shown": f"{pile['shown']} {gold}"}, **{gold: ["Antlers"]})
    assert content(sheet, 1)["discarded_at_worlds_end"] == ["Antlers"]
    assert "unanswered" not in page(client, sheet)


def test_too_many_discards_are_refused_beside_their_question() -> None:
    sheet = begun("Ada", "Ben")
    pile = "Lily Pad\nAdorable\nAntlers\nBark\nBad"
    fields = {"ask-returned-lily-pad": ["Adorable", "Antlers", "Bark", "Bad"], "shown": "ask-returned-lily-pad"}
    html = write(phone(sheet, 1), sheet, 1, traits=pile, **fields).content.decode()
    assert "Choose at most 3." in html


def test_both_copies_of_a_trait_leave_the_pile_where_both_are_chosen() -> None:
    sheet = begun("Ada", "Ben")
    ada, shown = phone(sheet, 1), "ask-returned-lily-pad"
    both = {shown: ["Kidney (2)", "Adorable", "Kidney"], "shown": shown}
    write(ada, sheet, 1, traits="Lily Pad\n4 Kidney\nAdorable", **both)
    assert content(sheet, 1)["returned"] == ["Kidney", "Kidney", "Adorable"]
    html = page(ada, sheet, "parts/1/")
    boxes = re.findall(rf'name="{shown}" value="([^"]+)"[^>]*?( checked)?>', html)
    assert boxes == [("Kidney", " checked"), ("Kidney (2)", " checked"), ("Kidney (3)", ""), ("Adorable", " checked")]
    assert content_of(sheet)["players"][0]["returned"].count("Kidney") == 2


def test_three_sums_stand_in_for_the_cards() -> None:
    sheet = begun("Ada", "Ben")
    ada = phone(sheet, 1)
    html = write(ada, sheet, 1, traits="Kidney", sum_bonus="3").content.decode()
    assert "Write the cards or the three sums, not both." in html
    write(ada, sheet, 1, sum_face_value="12", sum_bonus="3", sum_catastrophe="-4")
    assert content(sheet, 1)["sums"] == {"face_value": 12, "bonus": 3, "catastrophe": -4}
    assert '<b class="score">11</b>' in page(ada, sheet)


def test_limits_are_told_while_the_pile_is_typed() -> None:
    sheet = begun("Ada", "Ben")
    three = "Sentience\nViral\nApex Predator"
    html = write(phone(sheet, 1), sheet, 1, traits=three, act="look").content.decode()
    assert "Ada: 3 dominants, limit 2." in html
    assert content(sheet, 1) == {}


def test_limit_of_the_table_is_told_beside_players_who_gave_their_sums() -> None:
    sheet = begun("Ada", "Ben")
    write(phone(sheet, 2), sheet, 2, sum_face_value="31")
    html = write(phone(sheet, 1), sheet, 1, traits="2 Retractable Claws", act="look").content.decode()
    assert "“Retractable Claws”: 2 listed, but a box has 1." in html


def test_part_that_somebody_else_changed_is_kept_until_the_second_press() -> None:
    sheet = begun("Ada", "Ben")
    ada, other = phone(sheet, 1), phone(sheet, "all")
    write(other, sheet, 1, traits="Bark")
    late = {"act": "save", "version": "0", "traits": "Adorable"}
    html = ada.post(f"{root(sheet)}parts/1/", late).content.decode()
    assert "This part has changed" in html
    assert 'name="version" value="1"' in html
    assert content(sheet, 1) == {"traits": ["Bark"]}
    write(ada, sheet, 1, traits="Adorable")
    assert content(sheet, 1) == {"traits": ["Adorable"]}


def test_filing_names_who_is_missing_and_can_be_pressed_through() -> None:
    sheet = begun("Ada", "Ben")
    ada = phone(sheet, 1)
    write(ada, sheet, 1, traits="Adorable")
    assert "Missing: the table, Ben" in page(ada, sheet)
    ada.post(f"{root(sheet)}file/")
    assert not sheet.revisions.exists()
    html = filed(ada, sheet)
    assert "Ada" in html
    assert sheet.revisions.get().content["players"] == [
        {"name": "Ada", "traits": ["Adorable"]}, {"name": "Ben", "traits": []},
    ]  # fmt: skip


def test_nobody_files_who_did_not_pick_a_place() -> None:
    sheet = begun("Ada", "Ben")
    assert Client().post(f"{root(sheet)}file/", {"anyway": "1"}).status_code == 403


def table_of_two(**options: str) -> tuple[ScoreSheet, Client, Client]:
    sheet = begun("Ada", "Ben", **options)
    ada, ben = phone(sheet, 1), phone(sheet, 2)
    write(
        ada, sheet, 1, traits="2 Kidney\nAdorable\nViral", **{"ask-choices-viral": "red", "shown": "ask-choices-viral"}
    )
    write(ben, sheet, 2, traits="Antlers\nBark", hand_size="2")
    write(ada, sheet, 0, **{"ask-catastrophe": "Ice Age"})
    return sheet, ada, ben


def test_tally_shows_every_line_and_is_signed_by_everybody() -> None:
    sheet, ada, ben = table_of_two()
    ada.post(f"{root(sheet)}file/")
    assert "Saved. Adding up takes" in page(ada, sheet, "tally/")
    assert 'hx-trigger="every 2s"' in page(ada, sheet, "tally/")
    html = filed(ada, sheet)
    assert sheet.revisions.count() == 1
    for line in ("2 × Kidney", "Adorable", "Ice Age", "Viral: red", "Face values", "Drop of Life bonuses"):
        assert line in html
    assert "Sign for Ada" in html
    assert "Sign for Ben" not in html
    assert ada.post(f"{root(sheet)}sign/", {"place": "2", "revision": "1"}).status_code == 403
    for client, place in ((ada, "1"), (ben, "2")):
        assert client.post(f"{root(sheet)}sign/", {"place": place, "revision": "1"}).status_code == 302
    html = page(ada, sheet, "tally/")
    assert html.count("signed</span>") == 2
    assert "hx-trigger" not in html


def test_correction_is_filed_as_a_newer_revision_that_needs_new_signatures() -> None:
    sheet, ada, ben = table_of_two()
    filed(ada, sheet)
    ben.post(f"{root(sheet)}sign/", {"place": "2", "revision": "1"})
    write(ben, sheet, 2, traits="Antlers\nBark\nBad", hand_size="2")
    assert "The sheet was changed: file it again" in page(ben, sheet)
    html = filed(ben, sheet)
    assert "Bad" in html
    assert html.count("not yet</span>") == 2
    assert ada.post(f"{root(sheet)}sign/", {"place": "1", "revision": "1"}).status_code == 409


def test_returned_sheet_says_why_and_leads_to_the_part() -> None:
    sheet = begun("Ada", "Ben")
    ada = phone(sheet, 1)
    write(ada, sheet, 1, traits="Sentience\nViral\nApex Predator")
    html = filed(ada, sheet)
    assert "The sheet was returned" in html
    assert "Ada: 3 dominants, limit 2." in html
    assert f'href="{root(sheet)}parts/1/"' in html
    assert "The sheet was returned" in page(ada, sheet)


def test_serious_tie_is_drawn_until_one_is_left() -> None:
    sheet = begun("Ada", "Ben", "Cem", ties="draw")
    client = phone(sheet, "all")
    for place, trait in ((1, "Adorable"), (2, "Big Ears"), (3, "Bad")):
        write(client, sheet, place, traits=trait)
    for place, points in ((1, 9), (2, 9), (3, 4)):
        write(client, sheet, place, sum_face_value=points)
    html = filed(client, sheet)
    assert "Tie draw 1" in html
    table = page(client, sheet)
    assert "Draw to break the tie" in table
    assert "was returned" not in html + table
    assert client.post(f"{root(sheet)}draw/", {"round": "2", "face_1": "3", "face_2": "3"}).status_code == 409
    client.post(f"{root(sheet)}draw/", {"round": "1", "face_1": "3", "face_2": "3"})
    tally_sheet(sheet.revisions.last().pk, "")
    html = page(client, sheet, "tally/")
    assert "Tie draw 2" in html
    client.post(f"{root(sheet)}draw/", {"round": "2", "face_1": "", "face_2": "-1"})
    tally_sheet(sheet.revisions.last().pk, "")
    html = page(client, sheet, "tally/")
    assert '<p class="outcome">Ben</p>' in html
    assert "Tie draw" not in html
    assert "Draw 2: Ada –, Ben -1" in " ".join(html.split())
    drawn = sheet.revisions.last().content["tie_draws"]
    assert drawn == [
        [{"name": "Ada", "face": 3}, {"name": "Ben", "face": 3}],
        [{"name": "Ada", "face": None}, {"name": "Ben", "face": -1}],
    ]
    write(client, sheet, 0, **{"ask-catastrophe": "Ice Age"})
    assert content(sheet, 0)["tie_draws"] == drawn


def test_dl_tie_casual_tie_is_a_shared_win() -> None:
    sheet = begun("Ada", "Ben")
    client = phone(sheet, "all")
    for place in (1, 2):
        write(client, sheet, place, sum_face_value="9")
    html = filed(client, sheet)
    assert "Shared win" in html
    assert '<p class="outcome">Ada, Ben</p>' in html


def test_solo_table_needs_no_pick_and_asks_for_the_lab() -> None:
    client = Client()
    client.post("/scores/doomlings/", {"names": "Ada", **USUAL, "genetic_mishap": "on"})
    sheet = ScoreSheet.objects.get()
    assert "Which cards lie in the Lab?" in page(client, sheet, "parts/1/")
    write(client, sheet, 1, traits="Adorable", **{"ask-lab": "Bad\nBark"})
    assert content(sheet, 1) == {"lab": ["Bad", "Bark"], "traits": ["Adorable"]}


def test_names_are_parted_by_lines_or_commas() -> None:
    assert [player["name"] for player in begun("Ada, Ben", "Cem; Dora").players] == ["Ada", "Ben", "Cem", "Dora"]


@pytest.mark.parametrize("names", ["", "\n".join("ABCDEFGHIJKLMNOPQRSTU"), "Ada\nada", "x" * 200])
def test_start_refuses_names_that_do_not_fit_a_table(names: str) -> None:
    answer = Client().post("/scores/doomlings/", {"names": names, **USUAL})
    assert answer.status_code == 200
    assert 'role="alert"' in answer.content.decode()
    assert not ScoreSheet.objects.exists()


def test_starting_is_throttled(monkeypatch) -> None:
    monkeypatch.setattr(OpeningThrottle, "rate", "2/hour")
    begun("Ada", "Ben")
    begun("Ada", "Ben")
    answer = Client().post("/scores/doomlings/", {"names": "Ada\nBen", **USUAL})
    assert answer.status_code == 429
    assert ScoreSheet.objects.count() == 2


def test_old_sheets_that_were_never_filed_are_thrown_away() -> None:
    now, people = database_now(), [{"name": "Ada"}, {"name": "Ben"}]
    old = [
        open_sheet(ANONYMOUS, "doomlings", people, {}, now - timedelta(days=31), stream) for stream in ("", "event-1")
    ]
    kept = begun("Cem", "Dora")
    assert set(ScoreSheet.objects.all()) == {kept, old[1]}
    assert prune_sheets(now) == 0


def test_sheet_of_an_event_is_not_found_by_its_key() -> None:
    sheet = open_sheet(ANONYMOUS, "doomlings", [{"name": "Ada"}], {}, database_now(), "event-1")
    assert Client().get(root(sheet)).status_code == 404
    alone = begun("Ada", "Ben")
    assert Client().get(f"/scores/doomtrooper/{alone.key}/").status_code == 404
    assert Client().get(f"{root(alone)[:-2]}/").status_code == 404


def test_catalogue_stands_at_an_address_of_its_own_for_good() -> None:
    sheet = begun("Ada", "Ben")
    address = page(phone(sheet, 1), sheet, "parts/1/").split('data-cards="')[1].split('"')[0]
    answer = Client().get(address)
    assert ["Kidney", ["red"], None, 0] in answer.json()["cards"]
    assert "immutable" in answer.headers["Cache-Control"]
    assert len(answer.content) < 20_000
    assert Client().get(address.replace(address.split("/")[-1], "0123.json")).status_code == 404


@pytest.mark.parametrize("route", ["", "parts/1/", "tally/"])
def test_pages_cost_the_same_queries_for_two_and_for_six(route: str) -> None:
    counts = []
    for names in (("Ada", "Ben"), ("Ada", "Ben", "Cem", "Dora", "Emil", "Fay")):
        sheet = begun(*names)
        client = phone(sheet, "all")
        for place in range(1, len(names) + 1):
            write(client, sheet, place, traits="Kidney")
        filed(client, sheet)
        counts.append(count_queries(page, client, sheet, route))
    assert counts[0] == counts[1] <= 12


@pytest.mark.parametrize("field", ["gene_pool", "hand_size"])
def test_number_of_many_digits_is_refused(field):
    sheet = begun("Ada", "Ben")
    answer = write(phone(sheet, 1), sheet, 1, traits="Kidney", **{field: "9" * 5000})
    assert (answer.status_code, content(sheet, 1)) == (200, {})


def test_many_unknown_lines_are_answered_at_once(monkeypatch):
    looked = []
    monkeypatch.setattr(
        "scoring.games.doomlings.own_card_forms.CardsOfPart.near", lambda _cards, typed: looked.append(typed) or []
    )
    sheet = begun("Ada", "Ben")
    answer = write(phone(sheet, 1), sheet, 1, traits="\n".join(f"no card {number}" for number in range(20_000)))
    assert (answer.status_code, content(sheet, 1)) == (200, {})
    assert len(looked) <= MAX_OFFERS
    assert read_pile("x\n" * MAX_TEXT, lambda _name: None).lines[-1].number <= MAX_TEXT // 2


def test_a_plus_before_the_count_keeps_it():
    assert replace_line("+3 Kidny\n+ 2x Swarm", 1, "Kidney", {"Swarm": "Swarm"}.get) == "3 Kidney\n2 Swarm"


def test_text_that_is_too_long_stays_as_it_was_typed():
    text = "Kidny\n" * MAX_TEXT
    assert replace_line(text, 1, "Kidney", lambda _name: None) == text
