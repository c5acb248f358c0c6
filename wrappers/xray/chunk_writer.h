/* SPDX-License-Identifier: MIT
 * Records what XRay's runtime calls its handlers for, in chunks of the calling thread.
 */
#ifndef XRAY_CHUNK_WRITER_H
#define XRAY_CHUNK_WRITER_H

#include "records/capture_clock.h"
#include "xray/xray_runtime.h"

#include <stdbool.h>

struct chunk_writer_settings {
    enum capture_clock clock;
    uint64_t threshold; /* in ticks; see XRAY_STORE_ENVIRONMENT */
};

void chunk_writer_set(const struct chunk_writer_settings *settings);

/* Makes the functions below the runtime's handlers. */
void chunk_writer_install(const struct xray_runtime *runtime);

/* From now on, the calling thread has no chunk: it is the only one of a process that has a new store. */
void chunk_writer_forget(void);

#endif
