# Read by CMake right after llama.cpp's own `project()` while the engine is built (see _bootstrap_builder.py).
# llama-cpp-python turns this helper library on, nothing the Python package loads needs it, and it is
# about a third of the compile time.
set(LLAMA_BUILD_COMMON OFF)
