"""Descriptions and examples for the fields in the API's schema, from field_words.toml."""

import json
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

Words: TypeAlias = dict[str, dict[str, Any]]
ANYWHERE, EXAMPLES, PARAMETERS = "any", "examples", "parameters"
FILE = Path(__file__).with_suffix(".toml")
REFERENCE = re.compile(r'"#/components/schemas/(\w+)"')


@cache
def load_words() -> Words:
    """The tables of the file: `any`, `examples`, `parameters` by name, the others by component and field name."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def base_component(name: str) -> str:
    """The component that a form for requests belongs to: `EventDraft` for `PatchedEventDraft`."""
    return name.removeprefix("Patched").removesuffix("Request")


def describe_fields(result: dict[str, Any], **_options: Any) -> dict[str, Any]:
    """Describe fields and parameters without a description, give examples for request bodies; after the enums' hook."""
    words = load_words()
    components = result["components"]["schemas"]
    sent = sent_components(result)
    for component, schema in components.items():
        fields, base = schema.get("properties", {}), base_component(component)
        for name, field in fields.items():
            if "description" not in field:
                fields[name] = _with(field, "description", find(words, base, name))
            if component in sent:
                fields[name] = _with(fields[name], "example", find(words[EXAMPLES], base, name, words[EXAMPLES]))
    for parameter in parameters_of(result):
        if "description" not in parameter and parameter["name"] in words[PARAMETERS]:
            parameter["description"] = words[PARAMETERS][parameter["name"]]
    return result


def parameters_of(result: dict[str, Any]) -> list[dict[str, Any]]:
    """Every parameter of every operation."""
    operations = [operation for item in result["paths"].values() for operation in item.values()]
    return [parameter for operation in operations for parameter in operation.get("parameters", [])]


def find(words: Words, component: str, name: str, anywhere: dict[str, Any] | None = None) -> Any:
    """What the component's own table says of a field, else what holds anywhere; None if neither says anything."""
    usual = words[ANYWHERE] if anywhere is None else anywhere
    return words.get(component, {}).get(name, usual.get(name))


def sent_components(result: dict[str, Any]) -> set[str]:
    """The names of the components that request bodies are made of."""
    operations = [operation for item in result["paths"].values() for operation in item.values()]
    waiting = _references([operation.get("requestBody") for operation in operations])
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        found.add(name)
        waiting |= _references(result["components"]["schemas"][name]) - found
    return found


def _references(schema: Any) -> set[str]:
    return set(REFERENCE.findall(json.dumps(schema, default=str)))


def _with(field: dict[str, Any], keyword: str, value: Any) -> dict[str, Any]:
    """The field with one keyword more; OpenAPI 3.0 reads nothing beside a bare `$ref`."""
    if value is None:
        return field
    return ({"allOf": [field]} if "$ref" in field else field) | {keyword: value}
