"""Reads rendered documents with independent readers: PyYAML, ruamel.yaml, ElementTree, csv, openpyxl.

Standard input: a JSON list of {"format", "body"}, the body in base64. Standard output: a JSON list of the values read.
"""

import base64
import csv
import io
import json
import sys
import warnings
import xml.etree.ElementTree as ElementTree


def read_yaml(body):
    """Reads YAML 1.1 with PyYAML's own reader and with libyaml, and YAML 1.2 with ruamel.yaml. All three must agree."""
    import ruamel.yaml
    import yaml

    text = body.decode("utf-8")
    version11 = pairs(yaml.load(text, Loader=yaml.SafeLoader))
    libyaml = pairs(yaml.load(text, Loader=yaml.CSafeLoader))
    version12 = pairs(ruamel.yaml.YAML(typ="safe", pure=True).load(text))
    alike = json.dumps(version11, default=typed) == json.dumps(libyaml, default=typed) == json.dumps(version12, default=typed)
    return version11 if alike else {"read differently": [version11, libyaml, version12]}


def pairs(value):
    if isinstance(value, dict):
        return {"map": [[key, pairs(inner)] for key, inner in value.items()]}
    return [pairs(item) for item in value] if isinstance(value, list) else value


def read_xml(body):
    root = ElementTree.fromstring(body)
    return {"root": root.tag, "value": value_of(root)}


def value_of(element):
    """A list if all children are items, named values if there are other children, otherwise text."""
    if len(element) == 0:
        return element.text or ""
    if all(child.tag == "item" for child in element):
        return [value_of(child) for child in element]
    return {"map": [[child.get("name", child.tag), value_of(child)] for child in element]}


def read_csv(body):
    csv.field_size_limit(1 << 30)
    return list(csv.reader(io.StringIO(body.decode("utf-8"), newline="")))


def read_xlsx(body):
    import openpyxl

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        book = openpyxl.load_workbook(io.BytesIO(body))
    return [sheet_of(sheet) for sheet in book.worksheets]


def sheet_of(sheet):
    cells = [cell for row in sheet.iter_rows() for cell in row if cell.value is not None]
    return {
        "name": sheet.title,
        "frozen": sheet.freeze_panes,
        "bold": sorted({cell.row for cell in cells if cell.font.b}),
        "types": sorted({cell.data_type for cell in cells}),
        "rows": [list(row) for row in sheet.iter_rows(values_only=True)],
    }


def typed(value):
    return {"type": type(value).__name__, "value": str(value)}


def read_ndjson(body):
    lines = [json.loads(line) for line in body.decode("utf-8").split("\n")[:-1]]
    return [{"map": [list(pair) for pair in sorted(line.items(), key=lambda pair: pair[0].encode("utf-16-be", "surrogatepass"))]} for line in lines]


READERS = {"yaml": read_yaml, "xml": read_xml, "csv": read_csv, "xlsx": read_xlsx, "ndjson": read_ndjson}


def read(request):
    try:
        return READERS[request["format"]](base64.b64decode(request["body"]))
    except Exception as error:
        return {"unreadable": f"{type(error).__name__}: {error}"}


documents = [read(request) for request in json.load(sys.stdin)]
json.dump(documents, sys.stdout, default=typed)
