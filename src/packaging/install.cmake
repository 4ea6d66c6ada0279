# Installation, packages, wheel. Everything finds its neighbours relative to itself, so the tree may be moved afterwards.
# Component runtime: the library alone; dev: what programs are built with.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/bsparse)
install(TARGETS bsparse EXPORT bsparse_shared
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT dev)
install(TARGETS bsparse_static EXPORT bsparse_static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev FILES_MATCHING PATTERN "bsparse.*")
install(FILES include/api.json DESTINATION ${CMAKE_INSTALL_DATADIR}/bsparse COMPONENT dev)
install(EXPORT bsparse_shared NAMESPACE bsparse:: FILE bsparseShared.cmake DESTINATION ${package_dir} COMPONENT dev)
install(EXPORT bsparse_static NAMESPACE bsparse:: FILE bsparseStatic.cmake DESTINATION ${package_dir} COMPONENT dev)
# bsparse::static exists where what it needs is found; bsparse::bsparse needs nothing.
file(CONFIGURE OUTPUT bsparseConfig.cmake @ONLY CONTENT [[
include(${CMAKE_CURRENT_LIST_DIR}/bsparseShared.cmake)
if(NOT TARGET bsparse::fortran)
  get_target_property(bsparse_include bsparse::bsparse INTERFACE_INCLUDE_DIRECTORIES)
  add_library(bsparse::fortran INTERFACE IMPORTED)
  set_target_properties(bsparse::fortran PROPERTIES INTERFACE_SOURCES ${bsparse_include}/bsparse.f90
                        INTERFACE_LINK_LIBRARIES bsparse::bsparse)
endif()
find_package(Threads QUIET)
if(@BSPARSE_HAS_CUDA@)
  find_package(CUDAToolkit QUIET)
endif()
if(Threads_FOUND AND (CUDAToolkit_FOUND OR NOT @BSPARSE_HAS_CUDA@))
  include(${CMAKE_CURRENT_LIST_DIR}/bsparseStatic.cmake)
endif()
]])
write_basic_package_version_file(bsparseConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/bsparseConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/bsparseConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT dev)
file(RELATIVE_PATH pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
set(static_needs "-lstdc++ -lm -ldl -lpthread")
if(BSPARSE_HAS_CUDA)
  string(PREPEND static_needs "-L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -lrt ")
endif()
foreach(package bsparse bsparse-static)
  set(pc_libs "-L\${libdir} -lbsparse")
  if(package STREQUAL "bsparse-static")
    set(pc_libs "\${libdir}/libbsparse.a ${static_needs}")
  endif()
  configure_file(bsparse.pc.in ${package}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
endforeach()

if(PROJECT_IS_TOP_LEVEL)
  find_package(Python3 COMPONENTS Interpreter QUIET)
  find_package(Doxygen QUIET)
endif()
if(Python3_FOUND AND PROJECT_IS_TOP_LEVEL)
  add_custom_target(wheel COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/wheel.py $<TARGET_FILE:bsparse>
                    ${PROJECT_BINARY_DIR} VERBATIM)
  add_dependencies(wheel bsparse)
endif()

if(PROJECT_IS_TOP_LEVEL)
  # Takes away what the last installation of this build put somewhere.
  add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -DMANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt
                    -P ${CMAKE_CURRENT_LIST_DIR}/uninstall.cmake VERBATIM)

  # cpack -G TGZ or -G DEB, in the build folder.
  set(CPACK_GENERATOR TGZ DEB)
  set(CPACK_PACKAGE_VENDOR "libbsparse")
  set(CPACK_PACKAGE_CONTACT "libbsparse")
  set(CPACK_PACKAGE_NAME libbsparse)
  set(CPACK_PACKAGE_FILE_NAME libbsparse-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
  set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
  set(CPACK_COMPONENTS_ALL runtime dev)
  set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
  set(CPACK_STRIP_FILES ON)
  set(CPACK_DEB_COMPONENT_INSTALL ON)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION libs)
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libbsparse${BSPARSE_SOVERSION})
  set(CPACK_DEBIAN_DEV_PACKAGE_NAME libbsparse-dev)
  set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
  set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libbsparse${BSPARSE_SOVERSION} (= ${PROJECT_VERSION})")
  set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "${PROJECT_DESCRIPTION}: the shared library")
  set(CPACK_COMPONENT_DEV_DESCRIPTION "${PROJECT_DESCRIPTION}: headers, archive, CMake and pkg-config files")
  # The C library is all that the shared library needs; its lowest version can be told where Debian's tool is.
  find_program(SHLIBDEPS dpkg-shlibdeps)
  if(SHLIBDEPS)
    set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
  else()
    set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS libc6)
  endif()
  include(CPack)
endif()

# Reference site of the header and the pages of docs/, and a manual page a function.
if(DOXYGEN_FOUND AND Python3_FOUND AND PROJECT_IS_TOP_LEVEL)
  configure_file(docs/Doxyfile.in docs/Doxyfile @ONLY)
  add_custom_target(docs
    COMMAND Doxygen::doxygen ${PROJECT_BINARY_DIR}/docs/Doxyfile
    COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/src/bindings/man.py ${PROJECT_SOURCE_DIR}/include/api.json
            ${PROJECT_BINARY_DIR}/docs/man3
    COMMENT "docs/html/index.html and docs/man3 in ${PROJECT_BINARY_DIR}" VERBATIM)
endif()
