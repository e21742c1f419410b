"""A browser without scripts, for real servers: it keeps cookies and sends forms as they were shown to it."""

import http.client
import json
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlencode

FORM = "application/x-www-form-urlencoded"
HEADERS = {"Accept-Language": "en"}


class Fields(HTMLParser):
    """The fields of the forms of a page as they would be sent untouched, form by form."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: list[dict[str, str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a form, or note a field of it; of choices the first one."""
        told = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append({})
        if tag in ("input", "button") and self.forms and told.get("name"):
            self.forms[-1].setdefault(told["name"], told.get("value", ""))


@dataclass
class Phone:
    """A browser without scripts: it keeps cookies and sends forms as they were shown to it."""

    port: int
    cookies: dict[str, str] = field(default_factory=dict)

    def send(self, method: str, path: str, body: str = "", **headers: str) -> tuple[int, str, str]:
        """Status, text and Location of one answer."""
        headers = {**HEADERS, **headers, "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body or None, headers)
            answer = connection.getresponse()
            text = answer.read().decode(errors="replace")
        finally:
            connection.close()
        for cookie in answer.headers.get_all("Set-Cookie", []):
            name, _equals, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer.status, text, answer.headers.get("Location", "")

    def open(self, path: str) -> str:
        """The page that an address leads to; AssertionError for one that is an error."""
        status, text, to = self.send("GET", path)
        if status in (301, 302):
            return self.open(to)
        assert status == 200, (path, status, text[:2000])
        return text

    def submit(self, path: str, fields: dict[str, str]) -> str:
        """The page that follows after a form was sent."""
        status, text, to = self.send("POST", path, urlencode(fields), **{"Content-Type": FORM})
        assert status in (200, 302), (path, fields, status, text[:2000])
        return self.open(to) if status == 302 else text

    def put(self, path: str, body: object) -> Any:
        """The JSON of an answer of the API to this browser's session."""
        csrf = {"X-CSRFToken": self.cookies["csrftoken"], "Content-Type": "application/json"}
        status, text, _to = self.send("PUT", path, json.dumps(body), **csrf)
        assert status < 300, (path, status, text)
        return json.loads(text)

    def read(self, path: str) -> tuple[int, Any]:
        """Status and JSON of what the API answers to this browser's session."""
        status, text, _to = self.send("GET", path)
        return status, json.loads(text) if text.startswith(("{", "[")) else None


def form_with(page: str, *names: str) -> dict[str, str]:
    """The form of a page that has fields of these names; AssertionError where there is none."""
    found = [form for form in Fields(page).forms if set(names) <= set(form)]
    assert found, (names, page)
    return found[0]
