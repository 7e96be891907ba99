# The installed library: find_package(repose) gives repose::repose and one target per module.
include(CMakePackageConfigHelpers)

get_property(modules GLOBAL PROPERTY REPOSE_MODULES)
add_library(repose_all INTERFACE)
add_library(repose::repose ALIAS repose_all)
set_target_properties(repose_all PROPERTIES EXPORT_NAME repose)
target_link_libraries(repose_all INTERFACE ${modules})

install(TARGETS repose_all repose_compile ${modules} EXPORT repose-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY scenes models DESTINATION ${CMAKE_INSTALL_DATADIR}/repose)
install(DIRECTORY include/repose DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT repose-targets NAMESPACE repose:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/repose)
configure_package_config_file(cmake/repose-config.cmake.in repose-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/repose)
write_basic_package_version_file(repose-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/repose-config.cmake ${PROJECT_BINARY_DIR}/repose-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/repose)
