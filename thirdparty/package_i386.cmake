# SPDX-License-Identifier: MIT
# Run by cpack on the finished package: what only the library for 32-bit programs needs is recommended. Whoever
# has no such programs need not install a second C library.
foreach(package ${CPACK_PACKAGE_FILES})
  set(unpacked ${package}.unpacked)
  execute_process(COMMAND dpkg-deb --raw-extract ${package} ${unpacked} COMMAND_ERROR_IS_FATAL ANY)
  file(READ ${unpacked}/DEBIAN/control control)
  string(REGEX MATCH "\nDepends: [^\n]*" depends "${control}")
  string(REGEX MATCHALL "lib[a-z0-9]*-i386[^,\n]*" for_32bit "${depends}")
  if(for_32bit)
    string(REGEX REPLACE ", lib[a-z0-9]*-i386[^,\n]*" "" kept "${depends}")
    string(REGEX REPLACE "Depends: lib[a-z0-9]*-i386[^,\n]*, " "Depends: " kept "${kept}")
    list(JOIN for_32bit ", " recommended)
    string(REPLACE "${depends}" "${kept}\nRecommends: ${recommended}" control "${control}")
    file(WRITE ${unpacked}/DEBIAN/control "${control}")
    execute_process(COMMAND dpkg-deb --root-owner-group --build ${unpacked} ${package} OUTPUT_QUIET
                    COMMAND_ERROR_IS_FATAL ANY)
  endif()
  file(REMOVE_RECURSE ${unpacked})
endforeach()
