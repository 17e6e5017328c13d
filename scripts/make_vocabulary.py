#!/usr/bin/env python3
# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the vocabulary of schedules as JSON, from the ops' TableGen records.

usage: make_vocabulary.py --tblgen LLVM_TBLGEN -I DIR... -o OUT.json

Every record of class ScriptWord becomes a word: name, stages, summary (one
line), ranges, example. An op of ours has its example in its description, one of
upstream's in its UpstreamWord and its summary upstream.
"""

import argparse
import json
import re
import subprocess
import sys
import textwrap

OURS = "egg/TransformOps/TransformOps.td"
WORDS = "egg/TransformOps/UpstreamWords.td"
# Apart, since names of records clash.
UPSTREAM = (
    "mlir/Dialect/Transform/IR/TransformOps.td",
    "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.td",
    "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.td",
)


def dump(tblgen, includes, file):
    """The records of a .td file, by name."""
    command = [tblgen, "--dump-json", *[f"-I{path}" for path in includes], "-"]
    done = subprocess.run(
        command,
        input=f'include "{file}"\n',
        capture_output=True,
        text=True,
    )
    if done.returncode:
        sys.exit(f"{file}: {done.stderr}")
    return json.loads(done.stdout)


def records_of(document, kind):
    return [document[name] for name in document["!instanceof"].get(kind, [])]


def one_line(text):
    return " ".join(text.split())


def example_of(record):
    """The first fenced block of the description."""
    name = f"transform.{record['opName']}"
    fenced = re.search(r"```mlir\n(.*?)```", record["description"], re.DOTALL)
    if not fenced:
        sys.exit(f"{name}: its description has no example in a ```mlir fence")
    return textwrap.dedent(fenced.group(1)).rstrip()


def words(tblgen, includes):
    for record in records_of(dump(tblgen, includes, OURS), "ScriptWord"):
        yield {
            "name": f"transform.{record['opName']}",
            "stages": record["scriptStages"],
            "summary": one_line(record["summary"]),
            "ranges": [one_line(text) for text in record["legalRanges"]],
            "example": example_of(record),
        }
    summaries = {}
    for file in UPSTREAM:
        for record in records_of(dump(tblgen, includes, file), "Op"):
            dialect = record["opDialect"]["def"]
            if dialect == "Transform_Dialect":
                name = f"transform.{record['opName']}"
                # Some of upstream's have only a description.
                text = record["summary"] or re.split(
                    r"\.\s", record["description"].strip())[0]
                summaries[name] = one_line(text)
    for record in records_of(dump(tblgen, includes, WORDS), "UpstreamWord"):
        name = record["upstreamOp"]
        if name not in summaries:
            sys.exit(f"{WORDS}: upstream has no {name}")
        yield {
            "name": name,
            "stages": record["scriptStages"],
            "summary": summaries[name],
            "ranges": [one_line(text) for text in record["legalRanges"]],
            "example": one_line(record["scriptExample"]),
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tblgen", required=True)
    parser.add_argument("-I", dest="includes", action="append", default=[])
    parser.add_argument("-o", dest="out", required=True)
    args = parser.parse_args()
    document = {"words": list(words(args.tblgen, args.includes))}
    if not document["words"]:
        sys.exit("no ScriptWord records")
    with open(args.out, "w") as file:
        json.dump(document, file, indent=1, ensure_ascii=True)
        file.write("\n")


if __name__ == "__main__":
    main()
