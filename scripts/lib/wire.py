#!/usr/bin/env python3
"""Makes from openapi.yaml the wire types of the web client (api.d.ts), and in Swift the wire types and the calls.

usage: wire.py            ends with 1 when a file is stale, or when a message is written by hand
       wire.py --write    writes them
"""

import json
import re
import sys
from pathlib import Path

import yaml

from wire_swift import BY_HAND, SwiftTypes

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "Sources/Apps/DaylyServer/openapi.yaml"
WEB = ROOT / "Sources/Web/api/api.d.ts"
# The calls below a path, and where they stand; the others are the service's own.
PRODUCTS = {
    "/v1/focus/": ("Focus", ROOT / "Sources/Products/Focus/Client/FocusOperations.generated.swift"),
    "/v1/companion/": ("Companion", ROOT / "Sources/Products/Companion/Client/CompanionOperations.generated.swift"),
}
OWN = ("", ROOT / "Sources/API/DaylyClient/Transport/Operations.generated.swift")
# Pages for browsers and crawlers, files of the web client, and what the App Store sends. An app reaches a picture by its
# signed URL.
NOT_FOR_APPS = {
    "getFile", "getWebClient", "getWebClientFile", "getServiceWorker", "getWebManifest", "getIcon", "getInvitePage",
    "getAppleAppSiteAssociation", "getAssetLinks", "getProblemPage", "takeCompanionStoreNotification",
}
# The wire types in Swift, by product; without one those of the photos and of all products.
SWIFT_TYPES = {
    "": ROOT / "Sources/API/DaylyAPI/Messages.generated.swift",
    "Focus": ROOT / "Sources/Products/Focus/API/FocusMessages.generated.swift",
    "Companion": ROOT / "Sources/Products/Companion/API/CompanionMessages.generated.swift",
}
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
        parts = [type_of(part) for part in schema["allOf"]]
        return " & ".join(f"({part})" if " | " in part and len(parts) > 1 else part for part in parts)
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


def web_types(document):
    parts = ["// Generated from openapi.yaml by scripts/lib/wire.py --write. Do not edit.\n"]
    parts += [declaration(name, schema) for name, schema in document["components"]["schemas"].items()]
    calls = [
        f"  {json.dumps(f'{method.upper()} {path}')}: {call(document, path, item.get('parameters', []), item[method])};"
        for path, item in document["paths"].items() if path.startswith("/v1/")
        for method in METHODS if method in item
    ]
    parts.append("export interface Calls {\n" + "\n".join(calls) + "\n}\n")
    return re.sub(r"[ \t]+\n", "\n", "\n".join(parts))


def swift_operation(document, method, path, operation):
    answers = {
        status: next(iter(resolve(document, one).get("content", {})), None)
        for status, one in operation["responses"].items() if status.startswith("2")
    }
    media = next((json.dumps(one) for one in answers.values() if one), "nil")
    name = operation["operationId"]
    return (name, f"""    package static let {name} = Operation(
        "{name}", .{method}, "{re.sub(r"{[^}]*}", "{}", path)}", [{", ".join(answers)}], {media})
""")


def swift_operations(document, prefix):
    """The calls below a path, or those of no product."""
    product, _ = PRODUCTS.get(prefix, OWN)
    found = [
        swift_operation(document, method, path, item[method])
        for path, item in document["paths"].items()
        if (path.startswith(prefix) if prefix else not path.startswith(tuple(PRODUCTS)))
        for method in METHODS if method in item and item[method]["operationId"] not in NOT_FOR_APPS
    ]
    names = "".join(f"        .{name},\n" for name, _ in found)
    return f"""// Generated from openapi.yaml by scripts/lib/wire.py --write. Do not edit.
// swift-format-ignore-file
{"import DaylyClient" + chr(10) if product else ""}
extension Operation {{
{"".join(text for _, text in found)}
    package static let all{product}: [Operation] = [
{names}    ]
}}
"""


def generated():
    document = yaml.safe_load(SOURCE.read_text())
    yield WEB, web_types(document)
    yield OWN[1], swift_operations(document, "")
    for prefix, (_, target) in PRODUCTS.items():
        yield target, swift_operations(document, prefix)
    types = SwiftTypes(document)
    for product, target in SWIFT_TYPES.items():
        yield target, types.text(product)


def written_by_hand():
    """The messages that stand beside the generated ones, of which lint wants none but those that have a reason."""
    for target in SWIFT_TYPES.values():
        for file in sorted(target.parent.glob("*.swift")):
            if not file.name.endswith(".generated.swift"):
                for name in re.findall(r"^public struct (\w+)(?:<.*>)?:.*Codable", file.read_text(), re.MULTILINE):
                    if name not in BY_HAND:
                        yield f"{file.relative_to(ROOT)}: {name} belongs into openapi.yaml, or into BY_HAND of wire_swift.py"


def main():
    stale = [(target, text) for target, text in generated() if not target.exists() or target.read_text() != text]
    for target, text in stale:
        if sys.argv[1:] == ["--write"]:
            target.write_text(text)
        else:
            print(f"{target.relative_to(ROOT)} is stale: run scripts/lib/wire.py --write")
    extra = list(written_by_hand())
    print("".join(f"{line}\n" for line in extra), end="")
    sys.exit(1 if extra or stale and sys.argv[1:] != ["--write"] else 0)


if __name__ == "__main__":
    main()
