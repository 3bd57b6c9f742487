"""`python -m partner_desktop.model.worker.llama.device_list`: a line of JSON: what the engine computes on.

A short process of its own, started by `model/engine_devices.py`: the engine's libraries, and a graphics
card's drivers with them, are never loaded into the app. What ggml lists is read by its C interface
(`ggml-backend.h`), as the binding has no words for it.
"""

from __future__ import annotations

import ctypes
import json
import sys
from typing import Any

import llama_cpp

_MOST_DEVICES = 64


def _main() -> None:
    """The process."""
    llama_cpp.llama_log_set(_silent, ctypes.c_void_p(0))
    llama_cpp.llama_backend_init()
    told = {
        "offload": bool(llama_cpp.llama_supports_gpu_offload()),
        "features": _features(llama_cpp.llama_print_system_info().decode("utf-8", "replace")),
        "devices": _devices(),
    }
    sys.stdout.write(json.dumps(told) + "\n")


@llama_cpp.llama_log_callback  # type: ignore[untyped-decorator] # made by ctypes
def _silent(_level: int, _text: bytes, _data: object) -> None:
    """What the drivers say while they are looked for is for nobody."""


def _features(system_info: str) -> list[str]:
    """Of `CPU : SSE3 = 1 | AVX2 = 1 | …` the names that are there, once each."""
    parts = [part.rpartition(":")[2].split("=") for part in system_info.split("|")]
    return list(dict.fromkeys(part[0].strip() for part in parts if len(part) == 2 and part[1].strip() == "1"))


def _devices() -> list[dict[str, str]]:
    """Each device: its backend (`CPU`, `CUDA`, `Metal`, `Vulkan`), its name, and what it is."""
    from llama_cpp import _ggml  # noqa: PLC0415 - the binding's only handle of the library

    library: Any = _ggml.libggml  # functions of a C library, which have no types here
    pointer, text = ctypes.c_void_p, ctypes.c_char_p
    library.ggml_backend_dev_count.restype = ctypes.c_size_t
    library.ggml_backend_dev_get.argtypes, library.ggml_backend_dev_get.restype = [ctypes.c_size_t], pointer
    library.ggml_backend_dev_backend_reg.restype = pointer
    library.ggml_backend_dev_backend_reg.argtypes = [pointer]
    for name in ("ggml_backend_dev_name", "ggml_backend_dev_description", "ggml_backend_reg_name"):
        function = getattr(library, name)
        function.argtypes, function.restype = [pointer], text
    found = []
    for number in range(min(_MOST_DEVICES, library.ggml_backend_dev_count())):
        device = library.ggml_backend_dev_get(number)
        backend = library.ggml_backend_reg_name(library.ggml_backend_dev_backend_reg(device))
        words = (library.ggml_backend_dev_name(device), library.ggml_backend_dev_description(device))
        name, description = ((word or b"").decode("utf-8", "replace") for word in words)
        found.append(
            {"backend": (backend or b"").decode("utf-8", "replace"), "name": name, "what": description}
        )
    return found


if __name__ == "__main__":
    _main()
