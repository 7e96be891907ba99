# The headers that nearly every file reads, parsed once: half the time of a first build.
option(REPOSE_PRECOMPILE "Parse common library headers once" ON)

set(REPOSE_COMMON_HEADERS <algorithm> <array> <cmath> <filesystem> <functional> <limits> <map> <memory> <numbers> <optional>
  <span> <string> <unordered_map> <variant> <vector> <Eigen/Dense> <fmt/format.h>)

# the compiler cache reads what g++ has made of the sources, in which the precompiled header must be named
if(REPOSE_CCACHE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(precompile_options -fpch-preprocess)
endif()

# repose_precompile(TARGET KIND [option...]): KIND library, program or test; targets of a kind share their options.
function(repose_precompile target kind)
  if(NOT REPOSE_PRECOMPILE)
    return()
  endif()
  set(common repose_common_${kind})
  if(NOT TARGET ${common})
    set(source ${PROJECT_BINARY_DIR}/${common}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "int main() { return 0; }\n" @ONLY)
    if(kind STREQUAL "library")
      add_library(${common} STATIC ${source})
    else()
      add_executable(${common} ${source})
    endif()
    target_link_libraries(${common} PRIVATE repose_warnings repose_compile Eigen3::Eigen fmt::fmt)
    target_compile_options(${common} PRIVATE ${ARGN} ${precompile_options})
    target_precompile_headers(${common} PRIVATE ${REPOSE_COMMON_HEADERS})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${common})
  # a target with other options reads the headers itself
  target_compile_options(${target} PRIVATE ${ARGN} ${precompile_options} -Wno-error=invalid-pch)
endfunction()
