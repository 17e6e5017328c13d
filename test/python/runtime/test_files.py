# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files and directories are whole or absent, a full disk included."""

import contextlib
import json
import os
import resource
import signal
import stat

import pytest

from egg import files
from egg.errors import EggError


@contextlib.contextmanager
def full_disk():
    """No file may grow past 1 KiB, as if the disk were full.

    Around the code under test alone: pytest's own output may be a file.
    """
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def test_replaces_the_file(tmp_path):
    path = tmp_path / "report.json"
    files.write_json(path, {"a": 1})
    files.write_json(path, {"a": 2})
    assert json.loads(path.read_text()) == {"a": 2}
    assert [p.name for p in tmp_path.iterdir()] == ["report.json"]


def test_full_disk_leaves_the_old_file(tmp_path):
    path = tmp_path / "report.json"
    path.write_text("{}")
    with (
        full_disk(),
        pytest.raises(EggError, match="report.json: cannot be written") as e,
    ):
        files.write_whole(path, "x" * 5000)
    assert "free space" in str(e.value)
    assert path.read_text() == "{}"
    assert [p.name for p in tmp_path.iterdir()] == ["report.json"]


def test_full_disk_leaves_no_directory(tmp_path):
    with full_disk(), pytest.raises(EggError):
        with files.whole_directory(tmp_path / "out") as directory:
            files.write_whole(directory / "a", "fits")
            files.write_whole(directory / "b", "x" * 5000)
    assert list(tmp_path.iterdir()) == []


def test_directory_takes_the_place_of_the_old(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out/old").write_text("old")
    with files.whole_directory(tmp_path / "out") as directory:
        files.write_whole(directory / "new", "new")
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["new"]


def test_place_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(EggError, match="cannot be written"):
        files.write_whole(tmp_path / "file/report.json", "x")


@pytest.mark.parametrize("text, message", [
    (None, "cannot be read: No such file"), ("{", "is not JSON"),
    ("[]", "is not a JSON object")])
def test_unreadable_json(tmp_path, text, message):
    path = tmp_path / "plan.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(EggError, match=message):
        files.read_json(path)


def test_a_pipe_is_written_to_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDWR)
    files.write_whole(pipe, "text")
    assert os.read(reader, 4) == b"text"
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_link_is_followed(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    files.write_whole(link, "new")
    assert link.is_symlink() and target.read_text() == "new"


@pytest.mark.parametrize("read", [files.read_text, files.read_json,
                                  files.sha256])
def test_only_regular_files_of_a_bounded_size_are_read(read, tmp_path):
    pipe, large = tmp_path / "pipe", tmp_path / "large"
    os.mkfifo(pipe)
    with open(large, "wb") as file:
        file.truncate(files.MAX_BYTES + 1)
    for path, reason in ((pipe, "no regular file"), ("/dev/zero", "no regular"),
                         (tmp_path, "directory"), (large, "257 MiB|256 MiB")):
        with pytest.raises(EggError, match=reason):
            read(path)
