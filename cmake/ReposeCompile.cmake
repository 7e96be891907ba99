# How every target of the project is compiled. Results must not depend on the optimiser:
# contraction is off, fast-math is never on, and the instruction set is the same for all targets.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# x86-64-v3 (AVX2) at most: g++ 12 miscompiles aggregates with AVX-512.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(REPOSE_ARCH "x86-64-v3" CACHE STRING "Instruction set (-march); empty for the compiler's default")
else()
  set(REPOSE_ARCH "" CACHE STRING "Instruction set (-march); empty for the compiler's default")
endif()

# a compiler cache and a fast linker, where they are
find_program(REPOSE_CCACHE ccache)
if(REPOSE_CCACHE)
  # precompiled headers are cached too; they want to hear that nothing in them hangs on the clock
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_ctime,include_file_mtime
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${REPOSE_CCACHE})
endif()
find_program(REPOSE_MOLD mold)
if(REPOSE_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

add_library(repose_compile INTERFACE)
add_library(repose::compile ALIAS repose_compile)
set_target_properties(repose_compile PROPERTIES EXPORT_NAME compile)
target_compile_features(repose_compile INTERFACE cxx_std_20)
target_compile_options(repose_compile INTERFACE -ffp-contract=off)
if(REPOSE_ARCH)
  target_compile_options(repose_compile INTERFACE -march=${REPOSE_ARCH})
endif()
# Debian's FCL and Bullet are built for 16-byte alignment; ours must agree across that border.
target_compile_definitions(repose_compile INTERFACE EIGEN_MAX_ALIGN_BYTES=16 EIGEN_MPL2_ONLY)

option(REPOSE_BATCHES "Compile several sources at a time: half the time of a first build" ON)
add_library(repose_warnings INTERFACE)
# in a batch a constant of one function may be named like a private one of the file beside it
target_compile_options(repose_warnings INTERFACE
  -Wall -Wextra -Wpedantic $<$<NOT:$<BOOL:${REPOSE_BATCHES}>>:-Wshadow> -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align -Wunused
  -Wnull-dereference -Wdouble-promotion -Wformat=2)
option(REPOSE_WARNINGS_ARE_ERRORS "Stop at the first warning" ${PROJECT_IS_TOP_LEVEL})
if(REPOSE_WARNINGS_ARE_ERRORS)
  target_compile_options(repose_warnings INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ looks for memory to use again from here on (in KiB): some of the time of a build, for memory that is there
  cmake_host_system_information(RESULT memory QUERY TOTAL_PHYSICAL_MEMORY)
  cmake_host_system_information(RESULT jobs QUERY NUMBER_OF_LOGICAL_CORES)
  math(EXPR heap "1024 * ${memory} / (4 * ${jobs})")
  if(heap LESS 131072)
    set(heap 131072)
  elseif(heap GREATER 1572864)
    set(heap 1572864)
  endif()
  add_compile_options(--param=ggc-min-heapsize=${heap})
  # copies of functions and loops for special cases: some of the time of a build, and no method runs faster for them
  add_compile_options(-fno-ipa-cp-clone -fno-unswitch-loops -fno-split-loops -fno-split-paths -fno-version-loops-for-strides)
  # g++ 12 reports both falsely inside Eigen and the standard library at -O2.
  target_compile_options(repose_warnings INTERFACE -Wno-maybe-uninitialized -Wno-null-dereference
    -Wno-array-bounds -Wno-stringop-overflow -Wno-restrict)
endif()
