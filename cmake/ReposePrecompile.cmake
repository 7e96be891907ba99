# The headers that nearly every file reads, parsed once: half the time of a first build.
option(REPOSE_PRECOMPILE "Parse common library headers once" ON)

set(REPOSE_COMMON_HEADERS <algorithm> <array> <cmath> <filesystem> <functional> <limits> <map> <memory> <numbers> <optional>
  <span> <string> <unordered_map> <variant> <vector> <Eigen/Dense> <fmt/format.h>)

# the compiler cache reads what g++ has made of the sources, in which the precompiled header must be named
if(REPOSE_CCACHE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(precompile_options -fpch-preprocess)
endif()

# What a kind of target is compiled with: library, whose numerics are worth all the optimiser can do, and plain (tables,
# commands, files, tests), which it would only make slow to build.
set(REPOSE_OPTIONS_library)
set(REPOSE_OPTIONS_plain $<$<CONFIG:Release>:-O1>)

# repose_precompile(TARGET KIND): sets the options of the kind and the headers parsed with them.
function(repose_precompile target kind)
  target_compile_options(${target} PRIVATE ${REPOSE_OPTIONS_${kind}})
  if(NOT REPOSE_PRECOMPILE)
    return()
  endif()
  set(common repose_common_${kind})
  if(NOT TARGET ${common})
    set(source ${PROJECT_BINARY_DIR}/${common}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "namespace repose { extern const int ${common}_compiled; const int ${common}_compiled = 1; }\n" @ONLY)
    add_library(${common} STATIC ${source})
    target_link_libraries(${common} PRIVATE repose_warnings repose_compile Eigen3::Eigen fmt::fmt)
    target_compile_options(${common} PRIVATE ${REPOSE_OPTIONS_${kind}} ${precompile_options})
    target_precompile_headers(${common} PRIVATE ${REPOSE_COMMON_HEADERS})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${common})
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    # compiled as the libraries are, so that the headers serve both
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
  # a target with other options reads the headers itself
  target_compile_options(${target} PRIVATE ${precompile_options} -Wno-error=invalid-pch)
endfunction()
