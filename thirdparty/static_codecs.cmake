# SPDX-License-Identifier: MIT
# A program that loads a dozen libraries takes longer to start than to read a small trace. So programs link the
# compression libraries statically where these are installed.
option(TRACE_STATIC_CODECS "Link compression libraries into the programs" ON)

# thirdparty::NAME and thirdparty::shared_NAME, from the target of the shared library and the names of all static ones
# that it takes. The global property TRACE_CODECS collects the names: formats/apitrace and libtracecli link them all, and
# from TRACE_CODEC_LIBRARIES the .pc file follows.
function(add_codec name shared)
  set_property(GLOBAL APPEND PROPERTY TRACE_CODECS ${name})
  set_property(GLOBAL APPEND PROPERTY TRACE_CODEC_LIBRARIES ${ARGN})
  add_library(thirdparty_shared_${name} INTERFACE)
  target_link_libraries(thirdparty_shared_${name} INTERFACE ${shared})
  add_library(thirdparty::shared_${name} ALIAS thirdparty_shared_${name})

  set(archives "")
  foreach(library ${ARGN})
    execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=lib${library}.a OUTPUT_VARIABLE archive
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(IS_ABSOLUTE "${archive}" AND EXISTS "${archive}") # otherwise the name comes back as it is
      list(APPEND archives "${archive}")
    endif()
  endforeach()
  list(LENGTH archives found)
  list(LENGTH ARGN wanted)
  if(NOT TRACE_STATIC_CODECS OR TRACE_SANITIZE OR found LESS wanted)
    add_library(thirdparty::${name} ALIAS thirdparty_shared_${name})
    set_property(GLOBAL APPEND PROPERTY TRACE_SHARED_CODECS ${name})
    return()
  endif()
  set(helper "")
  if(name STREQUAL brotli) # before libm, so that it is not needed
    add_library(brotli_log2 STATIC ${CMAKE_CURRENT_SOURCE_DIR}/brotli_log2.c)
    set(helper brotli_log2)
  endif()
  add_library(thirdparty_static_${name} INTERFACE)
  target_include_directories(thirdparty_static_${name} SYSTEM INTERFACE
                             $<TARGET_PROPERTY:${shared},INTERFACE_INCLUDE_DIRECTORIES>)
  target_link_libraries(thirdparty_static_${name} INTERFACE ${archives} ${helper} m)
  add_library(thirdparty::${name} ALIAS thirdparty_static_${name})
endfunction()
