"""What a program may ask: a query string or body with an unknown name is refused rather than half understood."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.serializers import BaseSerializer, ListField, ListSerializer, Serializer
from rest_framework.viewsets import GenericViewSet

from rules_engine.errors import BadInput

FIELDS = "fields"
"""The parameter that names the fields to be answered, with commas between them."""
SAFE = ("GET", "HEAD", "OPTIONS")
LONGEST = 50


def expect_known(given: Collection[str], known: Collection[str]) -> None:
    """BadInput "unknown_parameter" for a parameter that the operation does not take."""
    for name in sorted(set(given).difference(known)):
        text = _("Unknown parameter: %(name)s") % {"name": name[:LONGEST]}
        raise BadInput("unknown_parameter", text, parameter=name[:LONGEST], known=sorted(known))


def expect_known_fields(reader: BaseSerializer[Any], data: object) -> None:
    """BadInput "unknown_field" for a field that the body of the operation does not have, at any depth."""
    for path in _unknown(reader, data, ""):
        raise unknown_field(path)


def unknown_field(path: str) -> BadInput:
    """The refusal of a field, named by its way from the outside: `entries.colour`."""
    return BadInput("unknown_field", _("Unknown field: %(name)s") % {"name": path[:LONGEST]}, field=path[:LONGEST])


def _unknown(reader: object, data: object, path: str) -> Iterator[str]:
    if isinstance(reader, ListSerializer | ListField) and isinstance(data, list):
        for each in data:
            yield from _unknown(reader.child, each, path)
    elif isinstance(reader, Serializer) and isinstance(data, Mapping):
        for name in data:
            if name not in reader.fields:
                yield f"{path}{name}"
            else:
                yield from _unknown(reader.fields[name], data[name], f"{path}{name}.")


def takes_body(view: GenericViewSet[Any], action: str) -> bool:
    """Whether an operation has a body by what its schema says of it."""
    described = getattr(getattr(view, action), "kwargs", {}).get("schema")
    if described is None:
        return False
    schema = described()
    schema.view, schema.method = view, view.request.method
    return schema.get_request_serializer() is not None


def chosen_fields(data: object, names: str) -> object:
    """An answer, or each result of a page, with these fields alone; BadInput "unknown_field" for one it lacks."""
    if isinstance(data, Mapping) and isinstance(data.get("results"), list):
        return {**data, "results": [chosen_fields(each, names) for each in data["results"]]}
    answers = data if isinstance(data, Mapping) else {}
    wanted = [name.strip() for name in names.split(",")]
    for name in wanted:
        if name not in answers:
            raise unknown_field(name)
    return {name: answers[name] for name in wanted}
