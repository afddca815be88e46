"""Reads exports with independent readers: vobject (vCards), feedparser (Atom and RSS).

Argument: `vcf` or `feed`. Standard input: the document. Standard output: what the reader found, as JSON.
"""

import json
import sys


def read_vcards(text):
    import vobject

    return [
        {name: [str(getattr(one.value, "street", one.value)) for one in lines] for name, lines in card.contents.items()}
        for card in vobject.readComponents(text)
    ]


def read_feed(text):
    import feedparser

    feed = feedparser.parse(text.encode("utf-8"))
    return {
        "version": feed.version,
        "malformed": bool(feed.bozo),
        "subtitle": feed.feed.get("subtitle"),
        "entries": [
            {name: entry.get(name) for name in ("id", "title", "link", "summary", "published", "author")}
            for entry in feed.entries
        ],
    }


json.dump({"vcf": read_vcards, "feed": read_feed}[sys.argv[1]](sys.stdin.buffer.read().decode("utf-8")), sys.stdout)
