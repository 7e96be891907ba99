# Sources compiled several at a time (scripts/batches says which go together).
# A changed file compiles its whole batch again, so that those of numerics, which take longest, stay small.
set(REPOSE_BATCH_SIZE_library 16 CACHE STRING "How many sources of numerics at most")
set(REPOSE_BATCH_SIZE_plain 16 CACHE STRING "How many other sources at most")
find_package(Python3 REQUIRED COMPONENTS Interpreter)

# repose_batches(TARGET KIND source...): sources with options of their own stay alone. KIND as in repose_precompile.
function(repose_batches target kind)
  if(NOT REPOSE_BATCHES)
    return()
  endif()
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/scripts/batches)
  execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/batches ${REPOSE_BATCH_SIZE_${kind}} ${ARGN}
    OUTPUT_VARIABLE batches COMMAND_ERROR_IS_FATAL ANY OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REPLACE ";" "|" batches "${batches}")
  string(REPLACE "\n" ";" batches "${batches}")
  set(number 0)
  foreach(batch IN LISTS batches)
    string(REPLACE "|" ";" files "${batch}")
    list(LENGTH files count)
    if(count GREATER 1)
      set_source_files_properties(${files} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${target}_${number})
    endif()
    math(EXPR number "${number} + 1")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
