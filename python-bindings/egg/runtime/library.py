# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""libEGGRuntimeC.so through ctypes: finding it, its functions, its errors."""

import ctypes
import enum
import functools
import os
import pathlib

from egg.errors import EggError

LIBRARY_NAME = "libEGGRuntimeC.so"


class Status(enum.IntEnum):
    """EggStatus of include/egg-c/Runtime.h."""

    OK = 0
    INVALID_ARGUMENT = 1
    NO_DRIVER = 2
    NO_DEVICE = 3
    WRONG_ARCHITECTURE = 4
    OUT_OF_MEMORY = 5
    BAD_ARTIFACT = 6
    KERNEL_FAULT = 7
    DRIVER_ERROR = 8


class RuntimeFailure(EggError):
    """A call of the runtime failed; `status` is the code."""

    # What a script can tell apart from other failures.
    EXIT_CODES = {Status.NO_DRIVER: 3, Status.NO_DEVICE: 3,
                  Status.KERNEL_FAULT: 4}

    def __init__(self, status, message, where=None):
        self.status = Status(status)
        super().__init__(message, where=where,
                         exit_code=self.EXIT_CODES.get(self.status, 1))


class TensorInfo(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("kind", ctypes.c_char_p),
                ("dtype", ctypes.c_char_p),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("rank", ctypes.c_size_t), ("bytes", ctypes.c_uint64)]


class DeviceInfo(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char * 128),
                ("compute_major", ctypes.c_int32),
                ("compute_minor", ctypes.c_int32),
                ("multiprocessors", ctypes.c_int32),
                ("driver_version", ctypes.c_int32),
                ("total_memory", ctypes.c_uint64)]


def find_library():
    """The runtime library: $EGG_RUNTIME, one beside the package, or the
    repository's build."""
    if chosen := os.environ.get("EGG_RUNTIME"):
        if not pathlib.Path(chosen).is_file():
            raise EggError("no such library", where=chosen,
                           hint="correct $EGG_RUNTIME")
        return pathlib.Path(chosen)
    package = pathlib.Path(__file__).resolve().parents[1]
    for folder in (package / "lib", package.parent / "lib",
                   package.parents[1] / "build/dev/lib",
                   package.parents[1] / "build/portable/lib"):
        if (folder / LIBRARY_NAME).is_file():
            return folder / LIBRARY_NAME
    raise EggError(f"{LIBRARY_NAME} was not found",
                   hint="build it with scripts/build.sh, or set EGG_RUNTIME")


@functools.cache
def load_library():
    """The library with the types of its functions declared."""
    path = find_library()
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise EggError(f"cannot be loaded: {error}", where=str(path),
                       hint="build it on this machine") from None
    handle, size, text = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p
    out, u64s = ctypes.POINTER(handle), ctypes.POINTER(ctypes.c_uint64)
    number = ctypes.c_int32
    tensor = ctypes.POINTER(TensorInfo)
    for name, result, arguments in [
            ("eggLastError", text, []),
            ("eggDriverOpen", number, [text, out]),
            ("eggDriverClose", None, [handle]),
            ("eggDriverDescribe", number,
             [handle, number, ctypes.POINTER(DeviceInfo)]),
            ("eggModuleLoadDirectory", number,
             [handle, number, text, number, out]),
            ("eggModuleUnload", None, [handle]),
            ("eggModuleNumArguments", size, [handle]),
            ("eggModuleNumResults", size, [handle]),
            ("eggModuleArgument", number, [handle, size, tensor]),
            ("eggModuleResult", number, [handle, size, tensor]),
            ("eggModuleNumLaunches", size, [handle]),
            ("eggModuleArenaBytes", ctypes.c_uint64, [handle]),
            ("eggModuleUsesCubin", number, [handle]),
            ("eggModuleSetArena", number,
             [handle, ctypes.c_uint64, ctypes.c_uint64]),
            ("eggModuleLaunch", number,
             [handle, u64s, size, u64s, size, handle, number]),
            ("eggModuleSynchronize", number, [handle, handle])]:
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def check(library, status, where=None):
    """Raises RuntimeFailure unless the status is OK."""
    if status != Status.OK:
        message = library.eggLastError().decode(errors="replace")
        raise RuntimeFailure(status, message, where)


class Driver:
    """An opened CUDA driver; path names another library than libcuda.so.1."""

    def __init__(self, path=None):
        self.library = load_library()
        self.handle = ctypes.c_void_p()
        check(self.library, self.library.eggDriverOpen(
            str(path).encode() if path else None, ctypes.byref(self.handle)))

    def __del__(self):
        if getattr(self, "handle", None):
            self.library.eggDriverClose(self.handle)

    def describe(self, device=0):
        """Facts about a device, as a dictionary."""
        info = DeviceInfo()
        check(self.library, self.library.eggDriverDescribe(
            self.handle, device, ctypes.byref(info)))
        return {"name": info.name.decode(errors="replace"),
                "compute_capability": f"{info.compute_major}."
                                      f"{info.compute_minor}",
                "multiprocessors": info.multiprocessors,
                "driver_version": info.driver_version,
                "memory_bytes": info.total_memory}
