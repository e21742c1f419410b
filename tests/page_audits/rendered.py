"""Which templates the site renders: each name is noted once, on a line of a file."""

from pathlib import Path

from django.template import Context
from django.template.base import Template


def note_rendered(file: Path) -> None:
    """Let every template that is rendered be noted, those that others include or extend, too."""
    noted, render = set[str | None](), Template._render

    def note(self: Template, context: Context) -> str:
        if self.name not in noted:
            noted.add(self.name)
            with file.open("a", encoding="utf-8") as lines:
                lines.write(f"{self.name}\n")
        return render(self, context)

    Template._render = note
