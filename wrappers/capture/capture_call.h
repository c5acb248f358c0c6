/* SPDX-License-Identifier: MIT
 * A call of the program's that is under way. It lies on the stub's stack.
 */
#ifndef CAPTURE_CAPTURE_CALL_H
#define CAPTURE_CAPTURE_CALL_H

#include "runtime/spec.h"

struct capture_thread;

struct capture_call {
    struct capture_thread *thread; /* NULL: this call is not recorded, or is being recorded just now */
    const struct spec_function *function;
    /* The call is not wanted: it has no records, but the hooks of its function see it. Only set for functions
     * that are neither PLAIN nor ONE_ARRAY. */
    bool left_out;
};

#endif
