"""French: no comma after the day of the week, « à » before the time."""

_DAYS = ("j F Y", "j M Y", "j F", "l, j F Y", "l, j F", "j M", "d M")
_TIMES = {", H:i": " à H:i", " H:i": " à H:i", ", H:i T": " à H:i T", ", H:i:s": " à H:i:s"}

globals().update(
    {
        day + english: day.replace(", ", " ").replace("M", "N") + french.replace("à", "\\à")
        for day in _DAYS
        for english, french in {"": "", **_TIMES}.items()
    }
)
