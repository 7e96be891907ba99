# The browser front end: studio/ bundled into studio/dist by node, rebuilt when its sources change.
# Without node the rest still builds; pages then need a bundle from elsewhere (REPOSE_DATA).
include(GNUInstallDirs)
find_program(REPOSE_NODE NAMES node nodejs)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(REPOSE_STUDIO_DIR ${PROJECT_SOURCE_DIR}/studio)
set(REPOSE_STUDIO_DIST ${REPOSE_STUDIO_DIR}/dist)

# repose_node_packages(STAMP FOLDER [--dev]): the packages of FOLDER's package-lock.json; STAMP becomes the file that says
# that they are there.
function(repose_node_packages stamp folder)
  set(done ${folder}/node_modules/.installed${ARGN})
  add_custom_command(OUTPUT ${done}
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/node_packages ${folder} ${ARGN}
    COMMAND ${CMAKE_COMMAND} -E touch ${done}
    DEPENDS ${folder}/package-lock.json ${PROJECT_SOURCE_DIR}/scripts/node_packages
    COMMENT "Installing the packages of ${folder}" VERBATIM)
  set(${stamp} ${done} PARENT_SCOPE)
endfunction()

if(REPOSE_NODE)
  # the type checker, its types and what drives a browser serve the tests alone
  if(REPOSE_BUILD_TESTS)
    repose_node_packages(studio_installed ${REPOSE_STUDIO_DIR} --dev)
  else()
    repose_node_packages(studio_installed ${REPOSE_STUDIO_DIR})
  endif()

  file(GLOB_RECURSE studio_sources CONFIGURE_DEPENDS ${REPOSE_STUDIO_DIR}/src/*)
  set(REPOSE_STUDIO_BUILT ${REPOSE_STUDIO_DIST}/report.js ${REPOSE_STUDIO_DIST}/report.css
    ${REPOSE_STUDIO_DIST}/page.css ${REPOSE_STUDIO_DIST}/studio.js ${REPOSE_STUDIO_DIST}/studio.css)
  add_custom_command(OUTPUT ${REPOSE_STUDIO_BUILT}
    COMMAND ${REPOSE_NODE} build.mjs
    DEPENDS ${studio_installed} ${studio_sources} ${REPOSE_STUDIO_DIR}/build.mjs
      ${REPOSE_STUDIO_DIR}/tsconfig.json ${REPOSE_STUDIO_DIR}/package.json
    WORKING_DIRECTORY ${REPOSE_STUDIO_DIR}
    COMMENT "Bundling the front end" VERBATIM)
  add_custom_target(studio ALL DEPENDS ${REPOSE_STUDIO_BUILT})
  install(DIRECTORY ${REPOSE_STUDIO_DIST}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/repose/studio)
else()
  message(STATUS "node not found: report pages are built without their front end")
endif()
