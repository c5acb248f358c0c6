# SPDX-License-Identifier: MIT
# Build options: type, warnings, sanitizers, output directories. Everything else is in the directories.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()

option(BUILD_TESTING "Build the tests" ON)
option(TRACE_WERROR "Treat warnings as errors" OFF)
set(TRACE_SANITIZE "" CACHE STRING "Empty, 'address' (with undefined) or 'thread'")
set_property(CACHE TRACE_SANITIZE PROPERTY STRINGS "" address thread)

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/archive)

add_compile_definitions(_GNU_SOURCE _FILE_OFFSET_BITS=64)
add_compile_options(-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wundef -Wvla
                    -Wwrite-strings -Wformat=2)
if(TRACE_WERROR)
  add_compile_options(-Werror)
endif()

if(TRACE_SANITIZE)
  # Instrumented code defeats the compiler's view of string lengths: messages that are cut on purpose would warn.
  add_compile_options(-Wno-format-truncation)
endif()
if(TRACE_SANITIZE STREQUAL "address")
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
elseif(TRACE_SANITIZE STREQUAL "thread")
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
elseif(NOT TRACE_SANITIZE STREQUAL "")
  message(FATAL_ERROR "TRACE_SANITIZE is '${TRACE_SANITIZE}'; it must be empty, 'address' or 'thread'")
endif()
