"""The page of all parts: every part of the look with its states, drawn by a sample form that stores nothing.

`python -m tests.look.page_of_parts DIR` writes it into a folder, to be opened in a browser.
"""

import os
import shutil
import sys
from pathlib import Path

import django
from django import forms
from django.contrib.auth import get_user
from django.core.paginator import Paginator
from django.template import engines
from django.test import RequestFactory
from django.utils import timezone

HERE = Path(__file__).resolve().parent


class SampleForm(forms.Form):
    """One field of each kind that the product uses."""

    name = forms.CharField(label="Name of the event", max_length=80, help_text="Players see it on every page.")
    rounds = forms.IntegerField(label="Swiss rounds", min_value=1, max_value=20, help_text="For 9 players: 4.")
    starts_at = forms.DateTimeField(label="Starts", widget=forms.DateTimeInput(attrs={"type": "datetime-local"}))
    best_of = forms.ChoiceField(
        label="Best of", choices=[("1", "1 game"), ("3", "3 games"), ("5", "5 games")], initial="3"
    )
    seen = forms.ChoiceField(
        label="Who sees it",
        choices=[("public", "Everybody"), ("unlisted", "Who has the link"), ("private", "Only who takes part")],
        widget=forms.RadioSelect,
    )
    names = forms.FileField(label="Names from a file", required=False, help_text="CSV, one player a line.")
    decklist = forms.CharField(
        label="Decklist", widget=forms.Textarea(attrs={"rows": 5, "class": "mono"}), required=False
    )
    judge = forms.BooleanField(
        label="I also judge", required=False, help_text="You may rule on matches you do not play."
    )
    length = forms.ChoiceField(
        label="Games of a match", choices=[("1", "1"), ("3", "3"), ("5", "5")], widget=forms.RadioSelect
    )
    score = forms.ChoiceField(
        label="How did it end for you?",
        choices=[("2-0", "2–0"), ("2-1", "2–1"), ("0-2", "0–2"), ("1-2", "1–2"), ("1-1", "1–1"), ("other", "Other")],
        widget=forms.RadioSelect,
    )


def write(folder: Path) -> Path:
    """Write the page into an existing folder, with the files it needs beside it; its path."""
    values = {"name": "Autumn Doom Cup", "seen": "unlisted", "length": "3", "score": "2-1", "judge": True}
    refused = SampleForm({"rounds": "900", "starts_at": "soon", "best_of": "3"}, auto_id="wrong_%s")
    context = {
        "form": SampleForm(initial=values),
        "refused": refused,
        "page": Paginator(range(134), 20).page(2),
        "now": timezone.now(),
        "surfaces": ("paper", "sheet", "sunk", "line", "edge", "ink", "soft", "ember", "open", "wait", "done", "wrong"),
    }
    request = RequestFactory().get("/")
    request.session = {}
    request.user = get_user(request)
    html = engines["django"].from_string((HERE / "parts.html").read_text()).render(context, request)
    shutil.copytree(HERE.parents[1] / "static", folder / "static", dirs_exist_ok=True)
    shutil.copy(HERE / "parts.css", folder / "static")
    page = folder / "parts.html"
    page.write_text(html.replace('"/static/', '"static/'), encoding="utf-8")
    return page


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    django.setup()
    print(write(Path(sys.argv[1])))
