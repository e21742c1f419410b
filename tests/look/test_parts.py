"""The parts of every page: fields wired for screen readers, keys that survive a refusal, no inline code."""

import re
from pathlib import Path

import pytest
from django import forms
from django.contrib.messages import constants
from django.contrib.messages.storage.base import Message
from django.http import HttpRequest
from django.template import engines
from django.template.loader import render_to_string
from django.test import RequestFactory

from tests.look.template_inputs import EVERYWHERE, head_of, parts, read_in

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"


class Entry(forms.Form):
    name = forms.CharField(label="Name", help_text="As on the badge.")
    mail = forms.EmailField(label="Mail address", required=False)
    score = forms.ChoiceField(label="Score", choices=[("2-0", "2–0"), ("2-1", "2–1")], widget=forms.RadioSelect)
    judge = forms.BooleanField(label="I also judge", help_text="Not your own matches.")
    file = forms.FileField(label="File", help_text="CSV")


def field(form: forms.Form, name: str, **more: str) -> str:
    return render_to_string("shared/field.html", {"field": form[name], **more})


def post(**values: str) -> HttpRequest:
    return RequestFactory().post("/", values)


def key_in(html: str) -> str:
    found = re.search(r'name="idempotency_key" value="([^"]+)"', html)
    assert found
    return found[1]


def test_field_ties_help_and_errors_to_the_control() -> None:
    html = field(Entry({}), "name")
    assert 'aria-describedby="id_name_helptext id_name_error"' in html
    assert 'aria-invalid="true"' in html
    assert 'id="id_name_helptext">As on the badge.' in html
    assert 'id="id_name_error"><li>This field is required.' in html
    assert '<label for="id_name">' in html


def test_field_says_when_it_is_optional_and_only_then() -> None:
    assert "(optional)" in field(Entry(), "mail")
    assert "(optional)" not in field(Entry(), "name")


def test_radio_field_is_a_fieldset_that_an_error_link_can_reach() -> None:
    html = field(Entry({}), "score", look="scores")
    assert re.search(r'<fieldset class="field scores" id="id_score"\s+aria-describedby="id_score_error">', html)
    assert re.search(r"<legend>\s*Score", html)
    assert html.count('type="radio"') == 2


def test_checkbox_stands_before_its_label() -> None:
    html = field(Entry(), "judge")
    assert html.index('type="checkbox"') < html.index("I also judge")
    assert 'aria-describedby="id_judge_helptext"' in html


def test_file_field_has_a_label_of_its_own_and_no_id_twice() -> None:
    html = field(Entry(), "file")
    assert 'for="id_file"' in html
    assert html.count('id="id_file"') == 1


def test_no_id_stands_twice_in_a_refused_form() -> None:
    form = Entry({})
    ids = re.findall(r' id="([^"]+)"', "".join(field(form, name) for name in form.fields))
    assert len(ids) == len(set(ids))


def test_form_errors_links_each_field_and_tells_of_the_whole_form() -> None:
    form = Entry({})
    form.add_error(None, "The event is full.")
    html = render_to_string("shared/form_errors.html", {"form": form})
    assert 'role="alert"' in html
    assert "<li>The event is full.</li>" in html
    assert '<a href="#id_score">Score</a>' in html


def test_form_errors_is_silent_for_a_good_form() -> None:
    assert render_to_string("shared/form_errors.html", {"form": Entry()}).strip() == ""


def test_key_is_fresh_on_each_page() -> None:
    request = RequestFactory().get("/")
    one, other = (key_in(render_to_string("shared/key.html", {}, request)) for _ in range(2))
    assert one != other
    assert len(one) == 36


def test_key_survives_a_refused_form() -> None:
    assert key_in(render_to_string("shared/key.html", {}, post(idempotency_key="kept"))) == "kept"
    assert key_in(render_to_string("shared/key.html", {"form": Entry({})}, post(idempotency_key="kept"))) == "kept"


def test_key_of_a_second_form_on_the_page_stays_its_own() -> None:
    assert key_in(render_to_string("shared/key.html", {"form": Entry()}, post(idempotency_key="kept"))) != "kept"


def test_key_is_escaped() -> None:
    html = render_to_string("shared/key.html", {}, post(idempotency_key='"><b>'))
    assert "<b>" not in html


@pytest.mark.parametrize(
    ("level", "state", "role"),
    [
        (constants.INFO, "open", "status"),
        (constants.SUCCESS, "done", "status"),
        (constants.WARNING, "wait", "status"),
        (constants.ERROR, "wrong", "alert"),
    ],
)
def test_message_becomes_a_notice_in_its_state(level: int, state: str, role: str) -> None:
    html = render_to_string("shared/notices.html", {"messages": [Message(level, "Stored <b>")]})
    assert f'class="notice {state}" role="{role}"' in html
    assert "Stored &lt;b&gt;" in html


@pytest.mark.parametrize("path", sorted(TEMPLATES.rglob("*.html")), ids=lambda path: str(path.relative_to(TEMPLATES)))
def test_template_has_no_inline_code(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"\sstyle=|<style|\son\w+=|javascript:", text)
    assert not re.search(r"<script(?![^>]*\ssrc=)", text)


MAX_COLUMNS = 120


def long_lines(folder: Path) -> list[str]:
    """Where a line of a template below a folder is longer than a reader's window: file, line and length."""
    return [
        f"{path.relative_to(folder)}:{number}: {len(line)} columns"
        for path in sorted(folder.rglob("*.html"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > MAX_COLUMNS
    ]


def test_no_line_of_a_template_is_longer_than_120_columns(tmp_path: Path) -> None:
    (tmp_path / "control.html").write_text(f"<p>ü</p>\n{'ü' * 120}\n{'ü' * 121}\n", encoding="utf-8")
    assert long_lines(tmp_path) == ["control.html:3: 121 columns"]
    assert long_lines(TEMPLATES) == []


@pytest.mark.parametrize("status", ["400", "403", "404", "409", "422", "429", "500"])
def test_error_page_says_what_happened_and_where_to_go(status: str) -> None:
    html = render_to_string(f"errors/{status}.html", {}, RequestFactory().get("/e/none/"))
    assert f'<span class="state wrong">{status}</span>' in html
    assert 'href="/"' in html


def test_error_page_needs_no_request() -> None:
    assert "<main" in render_to_string("errors/500.html", {"message": "Noted.", "code": "error"})


def test_error_page_does_not_say_the_same_twice() -> None:
    html = render_to_string("errors/404.html", {"message": "There is nothing here.", "code": "not_found"})
    assert "the link has expired" in html
    assert "There is nothing here.</p>" not in html


def test_error_page_shows_the_message_of_the_error_escaped() -> None:
    html = render_to_string("errors/409.html", {"message": "Table 3 <i>", "code": "stale_report"})
    assert "Table 3 &lt;i&gt;" in html
    assert "stale_report" in html


def test_every_part_says_in_its_first_lines_what_it_takes() -> None:
    wrong = [name for name in parts() if not (TEMPLATES / name).read_text().startswith(head_of(name))]
    assert not wrong, "run `python -m tests.look.template_inputs`"
    assert len(parts()) > 100


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("{% for one in rows %}{{ one.name }}{% endfor %}{{ one }}", {"rows", "one"}),
        ("{% with a=b %}{{ a }}{{ c|default:d }}{% endwith %}", {"b", "c", "d"}),
        ("{% if a and not b == c %}{% elif d %}{% endif %}", {"a", "b", "c", "d"}),
        ("{% url 'home' slug as here %}{{ here }}", {"slug"}),
        ("{% load i18n %}{% blocktranslate with a=b %}{{ a }} {{ c }}{% endblocktranslate %}", {"b", "c"}),
        (
            "{% load i18n %}{% blocktranslate count n=a %}1{% plural %}{{ n }} {{ x }}{% endblocktranslate %}",
            {"a", "x"},
        ),
        ('{% include "shared/field.html" with field=form.name only %}', {"form"}),
        ('{% include "shared/field.html" with field=form.name %}', {"form", "field_label", "look", "sometimes"}),
    ],
)
def test_names_that_a_template_reads_are_found(text: str, names: set[str]) -> None:
    """The control of the test above."""
    nodes = engines["django"].from_string(text).template.nodelist
    assert set(read_in(nodes, set())) - EVERYWHERE == names
