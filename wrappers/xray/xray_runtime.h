/* SPDX-License-Identifier: MIT
 * XRay's runtime in the traced program. The compiler links it statically, with hidden symbols, so the loader
 * does not know its functions. They are found in the symbol table of the program's file.
 */
#ifndef XRAY_XRAY_RUNTIME_H
#define XRAY_XRAY_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

/* The functions are those of xray/xray_interface.h of compiler-rt, which is C++. action: of the enum below.
 */
struct xray_runtime {
    void (*init)(void);
    int (*set_handler)(void (*handler)(int32_t function, int action));
    int (*set_handler_arg1)(void (*handler)(int32_t function, int action, uint64_t argument));
    int (*set_customevent_handler)(void (*handler)(const void *data, size_t size));
    int (*set_typedevent_handler)(void (*handler)(uint16_t type, const void *data, size_t size));
    int (*patch)(void); /* returns XRAY_PATCHED */
};

enum { XRAY_PATCHED = 1 };

enum xray_runtime_state {
    XRAY_RUNTIME_ABSENT,   /* the program was not instrumented */
    XRAY_RUNTIME_STRIPPED, /* it was, but its file does not tell where the runtime is */
    XRAY_RUNTIME_FOUND,
};

enum xray_runtime_state xray_runtime_find(struct xray_runtime *out);

#endif
