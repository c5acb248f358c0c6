/* SPDX-License-Identifier: MIT
 * Asks a GL driver for the sizes of what rare calls access. The functions fit into struct spec_driver, whose
 * context is then a struct spec_questions. Whoever asks, the wrapper or the replayer, has its own way to find
 * the driver's functions.
 */
#ifndef RUNTIME_DRIVER_SIZES_H
#define RUNTIME_DRIVER_SIZES_H

#include "runtime/length.h"

struct spec_questions {
    /* Returns the driver's function for SPEC_FN_…; NULL: it has none. */
    void (*(*find)(void *context, uint32_t function))(void);
    /* Enclose all questions. If begin returns false, the driver must not be asked now. Both may be NULL. */
    bool (*begin)(void *context);
    void (*end)(void *context);
    void *context; /* passed to the functions */
};

/* The members of struct spec_driver. `questions` is a struct spec_questions. */
int64_t spec_ask_integer(void *questions, uint32_t pname);
int64_t spec_ask_level(void *questions, uint32_t target, int32_t level, uint32_t pname);
int64_t spec_ask_named_level(void *questions, bool unit, uint32_t name, uint32_t target, int32_t level,
                             uint32_t pname);
int64_t spec_ask_parameter(void *questions, enum spec_query query, uint32_t of, uint32_t pname);
int64_t spec_ask_named_program(void *questions, uint32_t program, uint32_t target, uint32_t pname);
int64_t spec_ask_uniform_size(void *questions, uint32_t program, int32_t location);

#endif
