"""German: a full stop after the day, „Uhr“ after the time; the seconds of a clock stand without."""

_DAYS = ("j F Y", "j M Y", "j F", "l, j F Y", "l, j F", "j M", "d M")
_TIMES = {
    ", H:i": ", H:i \\U\\h\\r",
    " H:i": ", H:i \\U\\h\\r",
    ", H:i T": ", H:i \\U\\h\\r T",
    ", H:i:s": ", H:i:s \\U\\h\\r",
}

globals().update(
    {
        day + english: day.replace("j ", "j. ").replace("d ", "d. ").replace("M", "N") + german
        for day in _DAYS
        for english, german in {"": "", **_TIMES}.items()
    }
)
