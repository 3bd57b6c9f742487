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

# What sees pictures, tools/mtmd, takes a quarter of the compile time that it otherwise would: its models, each a
# small file that reads the same large headers, are compiled thirty at once, and nothing in it computes for long, so
# the compiler need not try hard. (Its directory comes after this one, so it is done when all are known.)
function(partner_gather_mtmd)
  if(NOT TARGET mtmd)
    return()
  endif()
  get_target_property(folder mtmd SOURCE_DIR)
  get_target_property(sources mtmd SOURCES)
  list(FILTER sources EXCLUDE REGEX "^models/")
  list(TRANSFORM sources PREPEND "${folder}/")
  set_source_files_properties(${sources} TARGET_DIRECTORY mtmd PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set_target_properties(mtmd PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 30)
  if(NOT MSVC)
    target_compile_options(mtmd PRIVATE -O1)
  endif()
endfunction()
cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL partner_gather_mtmd)
