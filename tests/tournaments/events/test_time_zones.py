"""The time zone of an event as people type it: by name in any case, or by city where only one has it."""

import pytest
from django.core.exceptions import ValidationError

from tournaments.events.forms.settings_parts import TimeZoneField, zone_called, zone_names


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("Europe/Berlin", "Europe/Berlin"), (" berlin ", "Europe/Berlin"), ("new york", "America/New_York"),
        ("america/NEW_YORK", "America/New_York"), ("utc", "UTC"), ("Buenos Aires", "Buenos Aires"), ("", ""),
    ],
)  # fmt: skip
def test_a_name_or_a_city_that_one_zone_has_is_that_zone(typed, zone):
    assert zone_called(typed) in (zone, zone.strip())


def test_a_city_of_two_zones_is_refused_and_one_of_them_taken():
    cities = [name.rpartition("/")[2] for name in zone_names()]
    twice = next(city for city in cities if cities.count(city) > 1 and "_" not in city)
    with pytest.raises(ValidationError, match="isn't a time zone"):
        TimeZoneField().clean(twice)
    with pytest.raises(ValidationError, match="isn't a time zone"):
        TimeZoneField().clean("Atlantis")
    assert TimeZoneField().clean("tokyo") == "Asia/Tokyo"
