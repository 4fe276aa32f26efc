#!/usr/bin/env python3
"""Makes Sources/Web/api/api.d.ts, the wire types of the web client, from openapi.yaml.

usage: web_types.py            ends with 1 when the file is stale
       web_types.py --write    writes it
"""

import json
import re
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "Sources/Apps/DaylyServer/openapi.yaml"
TARGET = ROOT / "Sources/Web/api/api.d.ts"
METHODS = ("get", "post", "put", "patch", "delete")
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def resolve(document, node):
    while "$ref" in node:
        value = document
        for part in node["$ref"].removeprefix("#/").split("/"):
            value = value[part]
        node = value
    return node


def type_of(schema):
    """The TypeScript type of a schema."""
    if "$ref" in schema:
        return schema["$ref"].rsplit("/", 1)[1]
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return " | ".join(dict.fromkeys(type_of(part) for part in schema[union]))
    if "allOf" in schema:
        return " & ".join(type_of(part) for part in schema["allOf"])
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(type_of({**schema, "type": one}) for one in kind)
    if kind == "null":
        return "null"
    if kind == "array":
        item = type_of(schema["items"])
        return f"({item})[]" if " " in item else f"{item}[]"
    if kind == "object" or "properties" in schema:
        return members(schema)
    if "required" in schema:
        return "{ " + " ".join(f"{name}: {{}};" for name in schema["required"]) + " }"
    return PLAIN.get(kind, "unknown")


def members(schema):
    properties = schema.get("properties")
    if not properties:
        return "Record<string, unknown>"
    required = schema.get("required", [])
    lines = [f"{name}{'' if name in required else '?'}: {type_of(one)};" for name, one in properties.items()]
    return "{ " + " ".join(lines) + " }"


def answers(document, operation):
    """The types of the successful answers, without repeats."""
    for status, response in operation["responses"].items():
        if status.startswith("2"):
            content = resolve(document, response).get("content", {})
            yield type_of(content["application/json"]["schema"]) if "application/json" in content else "null"


def call(document, path, shared, operation):
    parameters = [resolve(document, one) for one in shared + operation.get("parameters", [])]
    fields = [
        f"{json.dumps(one['name'])}{'' if one['in'] == 'path' else '?'}: string;"
        for one in parameters if one["in"] in ("path", "query")
    ]
    content = operation.get("requestBody", {}).get("content", {})
    body = type_of(content["application/json"]["schema"]) if "application/json" in content else "null"
    given = "{ " + " ".join(fields) + " }" if fields else "Record<string, never>"
    answer = " | ".join(dict.fromkeys(answers(document, operation))) or "null"
    return f"{{ parameters: {given}; body: {body}; answer: {answer} }}"


def declaration(name, schema):
    properties = schema.get("properties")
    if schema.get("type") != "object" or not properties:
        return f"export type {name} = {type_of(schema)};\n"
    required = schema.get("required", [])
    lines = [f"  {key}{'' if key in required else '?'}: {type_of(one)};" for key, one in properties.items()]
    return f"export interface {name} {{\n" + "\n".join(lines) + "\n}\n"


def generated():
    document = yaml.safe_load(SOURCE.read_text())
    parts = ["// Generated from openapi.yaml by scripts/lib/web_types.py --write. Do not edit.\n"]
    parts += [declaration(name, schema) for name, schema in document["components"]["schemas"].items()]
    calls = [
        f"  {json.dumps(f'{method.upper()} {path}')}: {call(document, path, item.get('parameters', []), item[method])};"
        for path, item in document["paths"].items() if path.startswith("/v1/")
        for method in METHODS if method in item
    ]
    parts.append("export interface Calls {\n" + "\n".join(calls) + "\n}\n")
    return re.sub(r"[ \t]+\n", "\n", "\n".join(parts))


def main():
    wanted = generated()
    if sys.argv[1:] == ["--write"]:
        TARGET.write_text(wanted)
    elif not TARGET.exists() or TARGET.read_text() != wanted:
        print(f"{TARGET.relative_to(ROOT)} is stale: run scripts/lib/web_types.py --write")
        sys.exit(1)


if __name__ == "__main__":
    main()
