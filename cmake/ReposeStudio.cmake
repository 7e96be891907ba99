# The browser front end: studio/ bundled into studio/dist by npm, rebuilt when its sources change.
# Without node the rest still builds; pages then need a bundle from elsewhere (REPOSE_DATA).
include(GNUInstallDirs)
find_program(REPOSE_NODE NAMES node nodejs)
find_program(REPOSE_NPM npm)
set(REPOSE_STUDIO_DIR ${PROJECT_SOURCE_DIR}/studio)
set(REPOSE_STUDIO_DIST ${REPOSE_STUDIO_DIR}/dist)

if(REPOSE_NODE AND REPOSE_NPM)
  set(studio_installed ${REPOSE_STUDIO_DIR}/node_modules/.package-lock.json)
  add_custom_command(OUTPUT ${studio_installed}
    COMMAND ${REPOSE_NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
    COMMAND ${CMAKE_COMMAND} -E touch ${studio_installed}
    DEPENDS ${REPOSE_STUDIO_DIR}/package-lock.json
    WORKING_DIRECTORY ${REPOSE_STUDIO_DIR}
    COMMENT "Installing the front end's packages" VERBATIM)

  file(GLOB_RECURSE studio_sources CONFIGURE_DEPENDS ${REPOSE_STUDIO_DIR}/src/*)
  set(REPOSE_STUDIO_BUILT ${REPOSE_STUDIO_DIST}/report.js ${REPOSE_STUDIO_DIST}/report.css
    ${REPOSE_STUDIO_DIST}/page.css ${REPOSE_STUDIO_DIST}/studio.js ${REPOSE_STUDIO_DIST}/studio.css)
  add_custom_command(OUTPUT ${REPOSE_STUDIO_BUILT}
    COMMAND ${REPOSE_NPM} run --silent build
    DEPENDS ${studio_installed} ${studio_sources} ${REPOSE_STUDIO_DIR}/build.mjs
      ${REPOSE_STUDIO_DIR}/tsconfig.json ${REPOSE_STUDIO_DIR}/package.json
    WORKING_DIRECTORY ${REPOSE_STUDIO_DIR}
    COMMENT "Bundling the front end" VERBATIM)
  add_custom_target(studio ALL DEPENDS ${REPOSE_STUDIO_BUILT})
  install(DIRECTORY ${REPOSE_STUDIO_DIST}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/repose/studio)
else()
  message(STATUS "node or npm not found: report pages are built without their front end")
endif()
