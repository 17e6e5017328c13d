# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files written whole or not at all."""

import contextlib
import hashlib
import json
import math
import os
import pathlib
import shutil
import stat
import tempfile

from egg.errors import EggError

# Payloads are the largest; those of unrolled networks have 40 MiB.
MAX_BYTES = 256 << 20
PLACE_HINT = ("free space on the disk, or choose another place that you may "
              "write to")
TEMPORARY_HINT = "free space there, or set TMPDIR to a folder that has it"


@contextlib.contextmanager
def explained(path):
    """Turns an OSError about writing into the message a user needs."""
    try:
        yield
    except OSError as error:
        raise EggError(f"cannot be written: {error.strerror or error}",
                       where=str(path), hint=PLACE_HINT) from None


def no_space(reason):
    """The error for a full disk of temporary files."""
    where = None
    with contextlib.suppress(OSError):
        where = tempfile.gettempdir()
    return EggError(f"no space for temporary files: {reason}", where=where,
                    hint=TEMPORARY_HINT)


@contextlib.contextmanager
def temporary_directory(prefix):
    """Yields the path of a new folder that is removed with what it holds."""
    try:
        folder = tempfile.mkdtemp(prefix=prefix)
    except OSError as error:
        # Without any folder to write to, tempfile cannot say its choice.
        raise EggError(
            f"cannot make a temporary folder: {error.strerror or error}",
            where=os.environ.get("TMPDIR") or None,
            hint=TEMPORARY_HINT) from None
    try:
        yield pathlib.Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def write_whole(path, text):
    """Replaces the file at once, creating its folder; where that fails the old
    file is untouched. A link is followed; a device or pipe is written to, for
    a rename would put a file in its place."""
    path = pathlib.Path(path)
    with explained(path):
        if path.is_symlink():
            path = path.resolve()
        if path.exists() and not path.is_file():
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(
            prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            # mkstemp's files are private; ours are as open as others.
            umask = os.umask(0)
            os.umask(umask)
            os.chmod(temporary, 0o666 & ~umask)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise


def check_place(path):
    """Raises the error that writing a file or directory at the path would end
    with, where its folder tells: it may be long until then."""
    folder = pathlib.Path(path).absolute().parent
    while not os.path.lexists(folder):
        folder = folder.parent
    reason = ("is not a folder" if not folder.is_dir() else
              "" if os.access(folder, os.W_OK | os.X_OK) else
              "you may not write to it")
    if not reason:
        try:
            # To root all is allowed, and yet /proc takes no file.
            os.rmdir(tempfile.mkdtemp(prefix=".egg-", dir=folder))
        except OSError as error:
            reason = error.strerror
    if reason:
        raise EggError(f"cannot be written: {folder}: {reason}", where=str(path),
                       hint=PLACE_HINT)


def check_module_file(path):
    """Refuses what is no FILE.py."""
    path = pathlib.Path(path)
    if path.is_dir():
        raise EggError("is a folder", where=str(path),
                       hint="name a file that defines the module")
    if not path.is_file():
        raise EggError("no such file", where=str(path))


@contextlib.contextmanager
def whole_directory(path, check=lambda path: None):
    """Yields the path of a directory, not made yet, that takes the place of
    path when the block ends. Whatever else is put beside it goes in any case.
    check(path) raises an error where what is there then must stay."""
    path = pathlib.Path(path)
    with explained(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = pathlib.Path(tempfile.mkdtemp(prefix=f".{path.name}.",
                                                  dir=path.parent))
    try:
        made = temporary / path.name
        yield made
        check(path)
        with explained(path):
            os.chmod(made, 0o755)
            old = temporary / f"{path.name}.old"
            if path.exists():
                os.replace(path, old)
            try:
                os.replace(made, path)
            except OSError:
                if old.exists():
                    os.replace(old, path)
                raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def read_bytes(path, hint=None):
    """What a regular file holds; anything else could block, or never end."""
    try:
        # Opening a pipe would wait for somebody who writes to it.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise EggError("cannot be read: it is no regular file",
                               where=str(path), hint=hint)
            if status.st_size > MAX_BYTES:
                raise EggError(
                    f"cannot be read: it has {status.st_size >> 20} MiB, and "
                    f"{MAX_BYTES >> 20} are read at most", where=str(path),
                    hint=hint)
            return file.read()
    except OSError as error:
        raise EggError(f"cannot be read: {error.strerror or error}",
                       where=str(path), hint=hint) from None


def read_text(path, hint=None):
    try:
        return read_bytes(path, hint).decode("utf-8")
    except UnicodeDecodeError as error:
        raise EggError(f"cannot be read: {error}", where=str(path),
                       hint=hint) from None


def read_json(path, hint=None):
    """The document, which must be an object."""
    text = read_text(path, hint)
    try:
        document = json.loads(text, parse_constant=refuse_number,
                              parse_float=finite_number)
    except json.JSONDecodeError as error:
        raise EggError(f"is not JSON: {error.msg}",
                       where=f"{path}:{error.lineno}", hint=hint) from None
    except (ValueError, RecursionError) as error:
        # A number or a nesting beyond what Python reads.
        raise EggError(f"is not JSON: {error}", where=str(path),
                       hint=hint) from None
    if not isinstance(document, dict):
        raise EggError("is not a JSON object", where=str(path), hint=hint)
    return document


def refuse_number(text):
    """JSON has no NaN or Infinity, though Python reads and writes them."""
    raise ValueError(f"'{text}' is no number")


def finite_number(text):
    number = float(text)
    return number if math.isfinite(number) else refuse_number(text)


def write_json(path, document):
    write_whole(path, json.dumps(document, indent=2, allow_nan=False) + "\n")


def sha256(path, hint=None):
    return hashlib.sha256(read_bytes(path, hint)).hexdigest()
