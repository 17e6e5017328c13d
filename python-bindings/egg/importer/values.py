# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an import yields: the payload's text and the meaning of its signature."""

import dataclasses
import json


@dataclasses.dataclass(frozen=True)
class TensorSpec:
    """An argument or result of the payload: a dense row-major tensor.

    kind is "parameter", "buffer" or "input" for arguments, "output" or
    "buffer_update" for results; dtype is MLIR's name (f32, i64, i1, ...).
    """

    name: str
    kind: str
    shape: tuple
    dtype: str


@dataclasses.dataclass
class ImportedModule:
    """A module as a payload (see docs/Architecture.md, Contracts).

    text         the normalised payload
    arguments    parameters, buffers, inputs: one TensorSpec each, in order
    results      outputs, then buffer updates
    output_tree  the pytree of the outputs as torch.utils._pytree prints it,
                 or "" where it cannot: then outputs are a flat list
    notes        what a reader must know: constants lifted, fall-backs taken
    checked      how the import was compared with the module, or ""
    operators    by "file:line" of the module's source, the operators it calls:
                 for messages about what the compiler makes of them
    versions     the packages that made it
    """

    text: str
    arguments: list
    results: list
    output_tree: str = ""
    notes: list = dataclasses.field(default_factory=list)
    checked: str = ""
    versions: dict = dataclasses.field(default_factory=dict)
    operators: dict = dataclasses.field(default_factory=dict)

    def metadata(self):
        """What a reader of the payload may want, ready for json.dumps."""
        fields = dataclasses.asdict(self)
        del fields["text"], fields["operators"]
        return fields

    def to_json(self):
        return json.dumps(dataclasses.asdict(self), indent=1) + "\n"

    @staticmethod
    def from_json(text):
        """Parses what to_json prints; ValueError if it is anything else."""
        fields = json.loads(text)
        try:
            for key in ("arguments", "results"):
                fields[key] = [
                    TensorSpec(spec["name"], spec["kind"],
                               tuple(spec["shape"]), spec["dtype"])
                    for spec in fields[key]]
            return ImportedModule(**fields)
        except (TypeError, KeyError) as error:
            raise ValueError(f"not an imported module: {error}") from error
