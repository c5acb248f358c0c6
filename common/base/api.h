/* SPDX-License-Identifier: MIT
 * Marks the declarations that are the API of the installed library. They are between TRACE_API_BEGIN and
 * TRACE_API_END. The shared library exports these functions and no others, with C linkage in C++. The headers
 * that contain them are installed; common/library/CMakeLists.txt lists them.
 */
#ifndef BASE_API_H
#define BASE_API_H

#ifdef __cplusplus
#define TRACE_API_BEGIN                                                                                      \
    extern "C" {                                                                                             \
    _Pragma("GCC visibility push(default)")
#define TRACE_API_END                                                                                        \
    _Pragma("GCC visibility pop")                                                                            \
    }
#else
#define TRACE_API_BEGIN _Pragma("GCC visibility push(default)")
#define TRACE_API_END   _Pragma("GCC visibility pop")
#endif

#endif
