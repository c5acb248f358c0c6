/* SPDX-License-Identifier: MIT */
#include "process/stack_setting.h"

#include "process/capture_log.h"
#include "process/function_names.h"
#include "process/setting.h"

#include "runtime/spec.h"
#include "spec_ids.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(SPEC_FUNCTION_COUNT <= STACK_FUNCTION_LIMIT, "each function has a bit");

struct stack_setting stack_setting = {.depth = STACK_DEPTH};

static void read_depth(void)
{
    const char *text = setting_get(STACK_DEPTH_ENVIRONMENT);
    if (text == NULL)
        return;
    char *end;
    unsigned long depth = strtoul(text, &end, 10);
    if (end != text && *end == '\0' && depth >= 1 && depth <= RECORD_STACK_PLACES)
        stack_setting.depth = (unsigned)depth;
    else
        capture_log(STACK_DEPTH_ENVIRONMENT "=%s is not a number from 1 to %u", text,
                    (unsigned)RECORD_STACK_PLACES);
}

bool stack_setting_read(void)
{
    const char *patterns = setting_get(STACK_FUNCTIONS_ENVIRONMENT);
    bool any = false;
    if (patterns == NULL || *patterns == '\0')
        return false;
    for (unsigned i = 0; i < spec_function_count && i < STACK_FUNCTION_LIMIT; ++i) {
        bool wanted = function_names_have(patterns, spec_string(spec_functions[i].name));
        stack_setting.wanted[i / 64] |= (uint64_t)wanted << i % 64;
        any |= wanted;
    }
    if (any)
        read_depth();
    else
        capture_log(STACK_FUNCTIONS_ENVIRONMENT "=%s: no function has such a name: no backtraces", patterns);
    return any;
}
