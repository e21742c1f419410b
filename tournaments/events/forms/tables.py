"""A field for the tables that meet a private need."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.table_marks import validate_table_numbers


class TablesField(forms.CharField):
    """Numbers of tables that meet a private need."""

    def __init__(self, **kwargs: Any) -> None:
        text = _("Such as “1-4, 9”. Pairing seats those who need one there.")
        super().__init__(max_length=200, required=False, validators=[validate_table_numbers], help_text=text, **kwargs)
