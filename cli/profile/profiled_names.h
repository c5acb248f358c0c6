/* SPDX-License-Identifier: MIT
 * What functions are called: by the trace, or by the instrumentation map of the program if the trace only has
 * numbers.
 */
#ifndef CLI_PROFILED_NAMES_H
#define CLI_PROFILED_NAMES_H

#include "symbols/symbolizer.h"
#include "symbols/xray_map.h"
#include "trace/model.h"

struct profiled_names {
    const char *path; /* of the program; NULL: names are those of the trace */
    struct xray_map map;
    struct symbolizer *symbolizer;
};

/* path may be NULL. After an error there is nothing to free. Errors: those of xray_map_read(). */
int profiled_names_init(struct profiled_names *n, const char *path);
void profiled_names_fini(struct profiled_names *n);

/* Sets *name and *place (file, line and column, or "(unknown)"), which the caller frees. Errors:
 * TRACE_ERR_MEMORY. */
int profiled_names_find(struct profiled_names *n, const struct trace_function_sig *sig, char **name,
                        char **place);

#endif
