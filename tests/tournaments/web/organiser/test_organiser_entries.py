"""Entering people and the list of entries, as a browser sends it."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.identity.services import person_of
from accounts.models import PersonalLink
from tests.tournaments.factories import NOW, account, entry, event, running
from tests.tournaments.web.organiser.test_organiser import manage, text_of
from tournaments.entries.services.entries import EntryDraft, register_walk_ins, sign_up
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db
State = Entry.State


def preview(client: Client, tournament: Tournament, text: str):
    return client.post(manage(tournament, "entries/preview/"), {"text": text})


def confirm(client: Client, tournament: Tournament, text: str, **values: str):
    """Press the button that the preview shows."""
    shown = preview(client, tournament, text).context["shown"]
    return client.post(manage(tournament, "entries/add/"), {"text": text, "shown": shown, **values})


def names(tournament: Tournament) -> list[str]:
    return list(tournament.entries.order_by("number").values_list("name", flat=True))


def test_preview_shows_every_line_and_stores_nothing(olive: Client) -> None:
    tournament = event(1)
    page = text_of(preview(olive, tournament, "Nora Haddad; Lantern Club\nada\nLi Wei;;no mail\nNora Haddad"))
    assert "3 players to enter" in page
    assert "Line 3 Li Wei;;no mail “no mail” isn't an email address." in page
    assert "already entered as no. 1" in page
    assert "listed twice" in page
    assert names(tournament) == ["Ada"]


def test_confirm_enters_what_was_shown_and_gives_bad_lines_back_whole(olive: Client) -> None:
    tournament, bad = event(), "x" * 200
    response = confirm(olive, tournament, f"name,club\nNora,Lantern\n{bad},Club\nLi,")
    assert names(tournament) == ["Nora", "Li"]
    assert response.context["form"].initial["text"] == f"name,club\n{bad},Club"
    assert "Left out. Correct them" in response.content.decode()


def test_confirm_can_leave_namesakes_out(olive: Client) -> None:
    tournament = event(1)
    confirm(olive, tournament, "Ada\nBen\nBen", only="new")
    assert names(tournament) == ["Ada", "Ben"]
    confirm(olive, tournament, "Ada")
    assert names(tournament) == ["Ada", "Ben", "Ada"]
    assert "no. 3" in text_of(olive.get(manage(tournament, "entries/")))


def test_confirm_shows_the_list_again_when_somebody_was_entered_meanwhile(olive: Client) -> None:
    tournament = event()
    shown = preview(olive, tournament, "Ada\nBen").context["shown"]
    olive.post(manage(tournament, "entries/add-one/"), {"name": "Ada"})
    response = olive.post(manage(tournament, "entries/add/"), {"text": "Ada\nBen", "shown": shown})
    assert "Check the list again" in text_of(response)
    assert names(tournament) == ["Ada"]


def test_ten_thousand_lines_are_refused_with_everything_kept(olive: Client) -> None:
    text = "\n".join(f"Player {number}" for number in range(10_000))
    response = preview(olive, event(), text)
    assert "10000 lines are too many" in text_of(response)
    assert "Player 9999</textarea>" in response.content.decode()


def test_upload_in_another_encoding_names_the_line_and_keeps_the_text(olive: Client) -> None:
    upload = SimpleUploadedFile("list.csv", b"name\nAda\nZo\x81\n")
    values = {"text": "Typed before", "upload": upload}
    response = olive.post(manage(event(), "entries/preview/"), values)
    assert "Line 3 isn't UTF-8" in text_of(response)
    assert "Typed before</textarea>" in response.content.decode()


def test_upload_of_an_old_excel_is_read_with_a_word_of_warning(olive: Client) -> None:
    tournament = event()
    upload = SimpleUploadedFile("list.csv", "1. Zoë Ünlü\n2. José\n".encode("cp1252"))
    response = olive.post(manage(tournament, "entries/preview/"), {"text": "", "upload": upload})
    page = text_of(response)
    assert "read as Windows-1252: check the accents" in page
    assert "the numbers or bullets of 2 lines are left out" in page
    values = {"text": response.context["text"], "shown": response.context["shown"]}
    olive.post(manage(tournament, "entries/add/"), values)
    assert names(tournament) == ["Zoë Ünlü", "José"]


def test_a_first_name_read_as_a_club_is_shown_and_put_right_by_one_press(olive: Client) -> None:
    tournament, text = event(), "Lindqvist, Ada, ada@example.org"
    asked = text_of(preview(olive, tournament, text))
    assert "Lindqvist Ada" in asked
    assert "The clubs look like first names" in asked
    assert "Put first names first" in asked
    turned = olive.post(manage(tournament, "entries/preview/"), {"text": text, "turns": "1"})
    olive.post(manage(tournament, "entries/add/"), {"text": text, "shown": turned.context["shown"], "turns": "1"})
    assert [(each.name, each.club) for each in tournament.entries.all()] == [("Ada Lindqvist", "")]


def test_surnames_first_are_turned_by_one_press_and_back_by_another(olive: Client) -> None:
    tournament, text = event(), "Lindqvist, Ada\nvan Dyk, Ben"
    assert "Put first names first" in text_of(preview(olive, tournament, text))
    turned = olive.post(manage(tournament, "entries/preview/"), {"text": text, "turns": "1"})
    assert "Leave the names as they are in the list" in text_of(turned)
    values = {"text": text, "shown": turned.context["shown"]}
    assert "Check the list again" in text_of(olive.post(manage(tournament, "entries/add/"), values))
    olive.post(manage(tournament, "entries/add/"), {**values, "turns": "1"})
    assert names(tournament) == ["Ada Lindqvist", "Ben van Dyk"]


def test_upload_is_shown_and_entered(olive: Client) -> None:
    tournament = event()
    upload = SimpleUploadedFile("list.csv", "\ufeffName;Verein\r\nZoë;Würfel\r\n".encode())
    response = olive.post(manage(tournament, "entries/preview/"), {"text": "", "upload": upload})
    values = {"text": response.context["text"], "shown": response.context["shown"]}
    olive.post(manage(tournament, "entries/add/"), values)
    assert list(tournament.entries.values_list("name", "club")) == [("Zoë", "Würfel")]


@pytest.mark.parametrize("text", ["", "  \n "])
def test_empty_list_says_so(olive: Client, text: str) -> None:
    assert "Enter at least one name." in text_of(preview(olive, event(), text))


def test_one_player_enters_at_once_and_a_namesake_after_a_look(olive: Client) -> None:
    tournament = event()
    add = manage(tournament, "entries/add-one/")
    assert olive.post(add, {"name": "Ada", "club": "Lantern"}).status_code == 302
    assert "already entered as no. 1" in text_of(olive.post(add, {"name": "ada"}))
    assert names(tournament) == ["Ada"]


@pytest.mark.parametrize("name", ["", "Ada; Ben", "name", "\u200b"])
def test_one_player_without_a_name_is_refused(olive: Client, name: str) -> None:
    tournament = event()
    response = olive.post(manage(tournament, "entries/add-one/"), {"name": name, "club": "Lantern"})
    assert "name" in response.context["one"].errors
    assert 'value="Lantern"' in response.content.decode()
    assert not tournament.entries.exists()


def test_buttons_of_a_row_act_and_return_to_it(olive: Client) -> None:
    tournament = event(3, capacity=2)
    pressed = [
        (1, "check-in", State.REGISTERED), (1, "undo-check-in", State.REGISTERED),
        (1, "drop", State.WITHDRAWN), (1, "return", State.REGISTERED),
    ]  # fmt: skip
    for number, act, state in pressed:
        response = olive.post(manage(tournament, f"entries/{number}/{act}/"), {"q": "ad", "show": "", "page": "1"})
        assert response.headers["Location"] == manage(tournament, "entries/?q=ad&page=1#entry-1")
        assert entry(tournament, "Ada").state == state
    assert entry(tournament, "Cem").state == State.REGISTERED


def test_button_that_comes_too_late_says_so(olive: Client) -> None:
    tournament = running(3)
    response = olive.post(manage(tournament, "entries/1/check-in/"), follow=True)
    assert "do this while the event is" in text_of(response)


def test_entry_of_another_event_is_not_found(olive: Client) -> None:
    event(5)
    assert olive.post(manage(event(1), "entries/5/drop/")).status_code == 404


def test_check_in_all_leaves_the_waiting_list_alone(olive: Client) -> None:
    tournament = event(3, capacity=2)
    olive.post(manage(tournament, "entries/check-in-all/"))
    assert [each.checked_in_at is not None for each in tournament.entries.all()] == [True, True, False]


def test_check_in_lists_a_team_with_its_members(olive: Client) -> None:
    tournament = event(game="doomtrooper", game_format="second-edition", best_of=1, sheet_options={"mode": "teams"})
    register_walk_ins(account("olive"), tournament, [EntryDraft("Red", members=("Ada", "Ben"))], NOW)
    assert "Ada, Ben" in text_of(olive.get(manage(tournament, "check-in/")))


def test_list_filters_by_name_and_part(olive: Client) -> None:
    tournament = event(10, capacity=8)
    page = text_of(olive.get(manage(tournament, "entries/?q=AD")))
    assert "More for Ada" in page
    assert "More for Ben" not in page
    page = text_of(olive.get(manage(tournament, "entries/?show=waiting")))
    assert "More for Jon" in page
    assert "More for Ada" not in page
    assert "No match. Try part of a name" in text_of(
        olive.get(manage(tournament, "entries/?q=zzz&show=nonsense&page=x"))
    )


def test_personal_link_opens_as_the_player_and_is_kept_nowhere(olive: Client) -> None:
    tournament = event(1)
    values = {"idempotency_key": "one-press"}
    page = olive.post(manage(tournament, "entries/1/link/"), values).content.decode()
    assert "<svg" in page
    again = olive.post(manage(tournament, "entries/1/link/"), values).content.decode()
    ended, token = (each.split("/p/")[1].split("/")[0] for each in (page, again))
    assert PersonalLink.objects.count() == 2
    assert [Client().get(f"/p/{each}/").status_code for each in (ended, token)] == [404, 302]
    olive.post(manage(tournament, "entries/1/revoke-links/"))
    assert Client().get(f"/p/{token}/").status_code == 404
    assert "created a personal link for no. 1 Ada" in text_of(olive.get(manage(tournament, "log/")))


def test_personal_link_is_refused_for_somebody_with_an_account(olive: Client) -> None:
    tournament = event()
    ada = account("ada")
    sign_up(ada, tournament, person_of(ada.user, NOW), NOW)
    assert olive.post(manage(tournament, "entries/1/link/")).status_code == 422
    assert not PersonalLink.objects.exists()
