"""How judges' pages look: dark on a phone unless chosen otherwise, as the map of tables remembered it."""

from django.http import HttpRequest

THEMES = ("dark", "light")
"""What a judge may choose; a phone is dark and a larger screen as its system says where nobody chose."""


def kept_choice(request: HttpRequest, name: str, offered: tuple[str, ...]) -> str:
    """What the address or an earlier choice says of `name`; "" where nobody chose one of those offered."""
    found = (request.GET.get(name, ""), request.COOKIES.get(f"floor_{name}", ""))
    return next((each for each in found if each in offered), "")


def look_of(request: HttpRequest) -> str:
    """The classes of a page for judges on their feet."""
    return f"floor {kept_choice(request, 'theme', THEMES)}"
