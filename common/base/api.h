/* SPDX-License-Identifier: MIT
 * Marks what the installed library offers: headers that have their declarations between TRACE_API_BEGIN and
 * TRACE_API_END are installed (common/library/CMakeLists.txt names them), and what they declare is all that
 * the shared library exports. C++ takes it as C.
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
