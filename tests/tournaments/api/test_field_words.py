"""The schema describes every field, and gives valid examples; its file of words holds nothing that is not used."""

import jsonschema
import pytest
from drf_spectacular.generators import SchemaGenerator

from tests.docs.test_words import BANNED, texts_with
from tournaments.api.field_words import (
    ANYWHERE,
    EXAMPLES,
    PARAMETERS,
    base_component,
    describe_fields,
    find,
    load_words,
    parameters_of,
    sent_components,
)


@pytest.fixture(scope="module")
def schema():
    return SchemaGenerator().get_schema(request=None, public=True)


@pytest.fixture(scope="module")
def fields(schema):
    """Every field of every component: the component's name, its own name, its schema."""
    components = schema["components"]["schemas"].items()
    return [
        (component, name, field) for component, held in components for name, field in held.get("properties", {}).items()
    ]


def test_every_field_has_a_description(fields):
    assert [f"{component}.{name}" for component, name, field in fields if not field.get("description")] == []


def inner(schema, path):
    """Every key of an object that is described within a field or an answer, with its way from the outside."""
    if isinstance(schema, list):
        for each in schema:
            yield from inner(each, path)
    elif isinstance(schema, dict):
        keys = schema.get("properties")
        if isinstance(keys, dict) and schema.get("type") == "object":
            yield from ((f"{path}.{name}", key) for name, key in keys.items())
        for name, each in schema.items():
            if name not in ("example", "enum", "default"):
                yield from inner(each, f"{path}.{name}")


def test_every_key_of_an_object_within_a_field_or_an_answer_has_a_description(schema):
    found = list(inner([schema["components"]["schemas"], schema["paths"]], ""))
    assert [path for path, key in found if not key.get("description")] == []
    assert any("ledger.properties" in path or path.endswith("ledger.sequence") for path, _key in found)
    bare = {"one": {"type": "object", "properties": {"key": {"type": "string"}}}}
    assert [path for path, key in inner(bare, "") if not key.get("description")] == [".one.key"], "the control"


def test_every_parameter_has_a_description_and_no_row_is_unused(schema):
    told = parameters_of(schema)
    assert [each["name"] for each in told if not each.get("description")] == []
    names = {each["name"] for each in told if each["description"] == load_words()[PARAMETERS].get(each["name"])}
    assert load_words()[PARAMETERS].keys() - names == set()


def speaks_for_itself(field):
    """Whether nobody sends it, or its values stand in the schema: an enumeration, a component, a file."""
    whole = str(field)
    return field.get("readOnly") or "$ref" in whole or "enum" in field or field.get("format") == "binary"


def test_every_field_that_is_sent_has_an_example(schema, fields):
    sent = sent_components(schema)
    given = [each for each in fields if each[0] in sent and not speaks_for_itself(each[2])]
    assert [f"{component}.{name}" for component, name, field in given if "example" not in field] == []
    assert len(given) > 200


def test_descriptions_are_sentences_without_banned_words():
    texts = [text for table, rows in load_words().items() if table != EXAMPLES for text in rows.values()]
    assert [text for text in texts if not text.endswith(".") or not text[0].isupper()] == []
    assert [text for word in BANNED for text in texts_with(word, texts)] == []


def rows_used(fields, words, read):
    """The rows that describe a field, as (table, name)."""
    used = set()
    for component, name, field in fields:
        base = base_component(component)
        table = base if name in words.get(base, {}) else ANYWHERE
        if read(field) == find(words, base, name):
            used.add((table, name))
    return used


def test_no_row_is_unused(schema, fields):
    words = load_words()
    described = {table: rows for table, rows in words.items() if table not in (EXAMPLES, PARAMETERS)}
    rows = {(table, name) for table, held in described.items() for name in held}
    assert rows - rows_used(fields, described, lambda field: field.get("description")) == set()
    usual = {name: value for name, value in words[EXAMPLES].items() if not name[0].isupper()}
    own = {name: value for name, value in words[EXAMPLES].items() if name[0].isupper()}
    examples = {ANYWHERE: usual, **own}
    sent = sent_components(schema)
    given = [each for each in fields if each[0] in sent]
    rows = {(table, name) for table, held in examples.items() for name in held}
    assert rows - rows_used(given, examples, lambda field: field.get("example")) == set()


def test_no_component_repeats_what_holds_anywhere():
    words = load_words()
    tables = {table: rows for table, rows in words.items() if table not in (ANYWHERE, EXAMPLES, PARAMETERS)}
    same = [
        f"{table}.{name}" for table, rows in tables.items() for name in rows if rows[name] == words[ANYWHERE].get(name)
    ]
    assert same == []


def nullable_too(schema):
    """OpenAPI 3.0's `nullable` in the words of JSON Schema."""
    if isinstance(schema, list):
        return [nullable_too(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {key: nullable_too(value) for key, value in schema.items() if key not in ("nullable", "example")}
    return {"anyOf": [plain, {"type": "null"}]} if schema.get("nullable") is True else plain


def test_each_example_is_valid(schema, fields):
    components = nullable_too(schema["components"])
    wrong = []
    for component, name, field in fields:
        if "example" in field:
            checker = jsonschema.Draft202012Validator(
                {**nullable_too(field), "components": components}, format_checker=jsonschema.FormatChecker()
            )
            wrong += [f"{component}.{name}: {error.message}" for error in checker.iter_errors(field["example"])]
    assert wrong == []


def test_a_serializers_own_words_win_and_references_stay():
    reference = {"$ref": "#/components/schemas/Policy"}
    properties = {"name": {"type": "string", "description": "Kept."}, "policy": reference, "odd": {"type": "string"}}
    result = {"paths": {}, "components": {"schemas": {"PatchedEventDraft": {"properties": properties}}}}
    described = describe_fields(result)["components"]["schemas"]["PatchedEventDraft"]["properties"]
    assert described["name"]["description"] == "Kept."
    assert described["policy"] == {"allOf": [reference], "description": "The scoring rules."}
    assert described["odd"] == {"type": "string"}
