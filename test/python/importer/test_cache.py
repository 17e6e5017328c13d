# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A cache stands in for torch-mlir, but never for another module."""

import pytest

pytest.importorskip("torch_mlir")

from egg import importer  # noqa: E402
from egg.importer import cache as cache_module  # noqa: E402


@pytest.fixture
def lowered(monkeypatch):
    """Counts the imports that are really made."""
    made = []
    real = importer.lower_file
    monkeypatch.setattr(importer, "lower_file",
                        lambda *args: made.append(args) or real(*args))
    return made


def test_second_import_comes_from_the_cache(model_file, tmp_path, lowered):
    path = model_file("return x + 1", "torch.rand(4)")
    first = importer.import_file(path, cache=tmp_path / "cache")
    second = importer.import_file(path, cache=tmp_path / "cache")
    assert len(lowered) == 1
    assert first == second


def test_changed_file_and_broken_entry_are_imported_anew(
        model_file, tmp_path, lowered):
    folder = tmp_path / "cache"
    importer.import_file(model_file("return x + 1", "torch.rand(4)"),
                         cache=folder)
    path = model_file("return x + 2", "torch.rand(4)")
    importer.import_file(path, cache=folder)
    assert len(lowered) == 2
    for entry in folder.iterdir():
        entry.write_text("{")
    importer.import_file(path, cache=folder)
    assert len(lowered) == 3


def test_entry_of_other_versions_serves_only_without_torch_mlir(
        model_file, tmp_path, monkeypatch):
    path = model_file("return x + 1", "torch.rand(4)")
    store = cache_module.Cache(tmp_path, path, "Model", "get_inputs")
    store.save(importer.ImportedModule("text", [], [],
                                       versions={"torch": "0.1"}))
    assert store.load() is None
    monkeypatch.setattr(cache_module, "installed_version", lambda name: None)
    assert store.load().text == "text"
