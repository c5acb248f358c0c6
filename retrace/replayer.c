/* SPDX-License-Identifier: MIT */
#include "replayer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"

void replay_warn(struct replayer *r, const char *format, ...)
{
    va_list args;
    if (r->options->benchmark)
        return;
    replay_progress_clear(&r->progress);
    fprintf(stderr, "%llu: warning: ", (unsigned long long)r->call_number);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

int replayer_init(struct replayer *r, const struct replay_options *options, struct window_system *ws,
                  struct trace_reader *reader)
{
    *r = (struct replayer){.options = options, .ws = ws, .reader = reader};
    r->check.enabled = options->check;
    arena_init(&r->scratch);
    int rc = name_scope_init(&r->handles);
    if (rc != 0)
        return rc;
    return options->verbose ? call_printer_init(&r->printer, replay_options_text_stream(options)) : 0;
}

void replayer_fini(struct replayer *r)
{
    for (size_t i = 0; i < r->functions.cap; ++i)
        if (r->functions.slots[i].state == INT_MAP_USED)
            free((void *)(uintptr_t)r->functions.slots[i].value);
    int_map_fini(&r->functions);
    replay_configs_fini(&r->configs);
    program_binaries_fini(&r->binaries);
    memory_regions_fini(&r->regions);
    name_scope_fini(&r->handles);
    arena_fini(&r->scratch);
    state_memory_fini(&r->state_memory);
    call_printer_fini(&r->printer);
}

void replayer_report_failures(const struct replayer *r)
{
    if (r->failures == 0)
        return;
    fprintf(stderr, "warning: %llu calls could not be replayed:", (unsigned long long)r->failures);
    const char *separator = " ";
    for (size_t i = 0; i < r->functions.cap; ++i) {
        if (r->functions.slots[i].state != INT_MAP_USED)
            continue;
        const struct replay_function *fn = (const void *)(uintptr_t)r->functions.slots[i].value;
        if (fn->failures > 0) {
            fprintf(stderr, "%s%s (%llu)", separator, fn->sig->name, (unsigned long long)fn->failures);
            separator = ", ";
        }
    }
    fputc('\n', stderr);
    if (!r->gl_loaded)
        fputs("warning: no call makes a context current; a part of a trace is replayed only with the calls "
              "that "
              "create its contexts and objects\n",
              stderr);
}
