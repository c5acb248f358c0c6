/* SPDX-License-Identifier: MIT
 * Parses any text as a call set.
 */
#include "fuzz_target.h"

#include "trace/call_set.h"

#include <stdlib.h>
#include <string.h>

/* Checks that a number in the set is its own next number. */
static void check_next(const struct trace_call_set *set, uint64_t number, uint32_t flags)
{
    uint64_t next;
    bool found = trace_call_set_next(set, number, &next);
    if (trace_call_set_contains(set, number, flags) && !(found && next == number))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    struct trace_call_set set = {0};
    char *text = malloc(count + 1);
    if (text == NULL || memchr(bytes, '@', count) != NULL) { /* no files are read */
        free(text);
        return 0;
    }
    memcpy(text, bytes, count);
    text[count] = '\0';
    if (trace_call_set_parse(&set, text) == 0)
        for (uint64_t i = 0; i < 100; ++i)
            check_next(&set, i * i, (uint32_t)i);
    trace_call_set_fini(&set);
    free(text);
    return 0;
}
