# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A folder of imports, one file each, named by what went into it.

Kept is torch-mlir's text before normalisation: it takes the time and needs the
packages; normalising it again keeps up with the compiler.
"""

import hashlib
import importlib.metadata
import pathlib

from egg.errors import EggError
from egg.files import write_whole
from egg.importer.values import ImportedModule


class Cache:
    """The entry for one source file (the file's text, the names of module and
    inputs, and the importer's own source make its key)."""

    def __init__(self, folder, path, module_name, inputs_name):
        try:
            source = pathlib.Path(path).read_bytes()
        except OSError as error:
            raise EggError(f"cannot read the file: {error.strerror}",
                           where=str(path)) from error
        digest = hashlib.sha256()
        for part in (source, module_name.encode(), inputs_name.encode(),
                     *importer_sources()):
            digest.update(len(part).to_bytes(8, "little") + part)
        name = f"{pathlib.Path(path).stem}-{digest.hexdigest()[:24]}.json"
        self.path = pathlib.Path(folder) / name

    def load(self):
        """The import, or None if there is none by the packages installed."""
        try:
            imported = ImportedModule.from_json(self.path.read_text())
        except (OSError, ValueError):
            return None
        for package, version in imported.versions.items():
            installed = installed_version(package)
            # Without torch-mlir nothing better can be made here.
            if installed_version("torch-mlir") and installed != version:
                return None
        return imported

    def save(self, imported):
        """Writes the entry whole or not at all."""
        write_whole(self.path, imported.to_json())


def importer_sources():
    """The source of this package, so that a changed importer imports anew."""
    folder = pathlib.Path(__file__).parent
    return [file.read_bytes() for file in sorted(folder.glob("*.py"))]


def installed_version(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None
