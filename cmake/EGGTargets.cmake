# How EGG declares its libraries, so that link lists state the direction of
# dependencies (Support -> Core -> ... -> tools) and nothing else.

# Libraries that include MLIR headers share one precompiled header.
add_library(EGGPch OBJECT ${CMAKE_SOURCE_DIR}/cmake/pch.cpp)
target_precompile_headers(EGGPch PRIVATE ${CMAKE_SOURCE_DIR}/cmake/pch.h)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  # Lets ccache reuse objects built with the precompiled header, together with
  # CCACHE_SLOPPINESS, which the presets' compiler launcher sets.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Xclang$<SEMICOLON>-fno-pch-timestamp>)
endif()

# egg_add_library(<name> SOURCES ... [LINK ...] [DEPENDS ...] [PLAIN])
#   LINK     the EGG libraries this one may include (and no others)
#   DEPENDS  tablegen targets
#   PLAIN    no MLIR in it: no precompiled header, no MLIR link
function(egg_add_library name)
  cmake_parse_arguments(ARG "PLAIN" "" "SOURCES;LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  if(NOT ARG_PLAIN AND EGG_PRECOMPILED_HEADERS)
    target_precompile_headers(${name} REUSE_FROM EGGPch)
  endif()
endfunction()

# Links an executable against LLVM and MLIR: the shared libraries for
# development, the static ones for the portable build. The archives are named
# as files because Debian's imported targets pull in the shared libraries; lld
# takes them in any order and only what is referenced.
function(egg_link_llvm target)
  if(NOT EGG_STATIC_LLVM)
    target_link_libraries(${target} PRIVATE MLIR LLVM)
    return()
  endif()
  file(GLOB archives ${LLVM_LIBRARY_DIR}/libMLIR*.a ${LLVM_LIBRARY_DIR}/libLLVM*.a)
  find_library(EGG_ZSTD_ARCHIVE libzstd.a REQUIRED)
  find_library(EGG_ZLIB_ARCHIVE libz.a REQUIRED)
  find_package(Threads REQUIRED)
  target_link_libraries(${target} PRIVATE ${archives}
    ${EGG_ZSTD_ARCHIVE} ${EGG_ZLIB_ARCHIVE} Threads::Threads ${CMAKE_DL_LIBS} m)
endfunction()

# egg_add_unittest(<name> SOURCES ... [LINK ...] [PLAIN])
#   name     ends in "Tests"; one executable a library
#   LINK     the EGG library under test (and what its tests need beside it)
#   PLAIN    no MLIR in it
function(egg_add_unittest name)
  cmake_parse_arguments(ARG "PLAIN" "" "SOURCES;LINK" ${ARGN})
  if(NOT name MATCHES "Tests$")
    message(FATAL_ERROR "${name}: a unit test's name ends in 'Tests', else lit does not find it")
  endif()
  add_executable(${name} EXCLUDE_FROM_ALL ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test/unit)
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest_main)
  if(NOT ARG_PLAIN)
    egg_link_llvm(${name})
    if(EGG_PRECOMPILED_HEADERS)
      target_precompile_headers(${name} REUSE_FROM EGGPch)
      # The precompiled header was built as -fPIC; executables get -fPIE.
      target_compile_options(${name} PRIVATE -fPIC)
    endif()
  endif()
  add_dependencies(EGGUnitTests ${name})
endfunction()

# egg_embed_files(<out> ROOT <directory> FILES ...)
# Generates a list of C++ initialisers {"path below ROOT", "content"}.
function(egg_embed_files out)
  cmake_parse_arguments(ARG "" "ROOT" "FILES" ${ARGN})
  add_custom_command(OUTPUT ${out}
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/scripts/embed_files.py
            --root ${ARG_ROOT} -o ${out} ${ARG_FILES}
    DEPENDS ${CMAKE_SOURCE_DIR}/scripts/embed_files.py ${ARG_FILES})
endfunction()
