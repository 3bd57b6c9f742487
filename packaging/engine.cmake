# Read by CMake right after llama.cpp's own `project()` while the engine is built (see _bootstrap_builder.py).
# llama-cpp-python turns this helper library on, nothing the Python package loads needs it, and it is
# about a third of the compile time.
set(LLAMA_BUILD_COMMON OFF)

# A virtual machine may announce AMX and fault on its first tile instruction, which ends the model's worker at
# every request. What AMX gains is in large batches; a compiler without these flags has no AMX to leave out.
include(CheckCXXCompilerFlag)
foreach(part tile int8 bf16 fp16 complex)
  check_cxx_compiler_flag("-mamx-${part}" PARTNER_KNOWS_AMX_${part})
  if(PARTNER_KNOWS_AMX_${part})
    add_compile_options("-mno-amx-${part}")
  endif()
endforeach()
