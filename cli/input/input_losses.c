/* SPDX-License-Identifier: MIT */
#include "input/input_losses.h"

#include "base/error.h"
#include "shell/messages.h"

#include <inttypes.h>

#define PRINTED 10 /* warnings; the others are counted */

static int warn(struct input_losses *l)
{
    if (l->silent)
        return 0;
    if (l->warnings != NULL)
        return buf_printf(l->warnings, "warning: %s\n", trace_error_message()) == 0
                   ? 0
                   : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    if (++l->found > PRINTED)
        return 0;
    int flush_rc = l->flush != NULL ? l->flush(l->context) : 0;
    if (flush_rc != 0)
        return flush_rc;
    cli_print_warning();
    return 0;
}

int input_losses_add(struct input_losses *l, int rc)
{
    if (rc != TRACE_ERR_DAMAGED && rc != TRACE_ERR_TRUNCATED)
        return rc;
    l->damaged |= rc == TRACE_ERR_DAMAGED;
    l->truncated |= rc == TRACE_ERR_TRUNCATED;
    return warn(l);
}

int input_losses_status(struct input_losses *l)
{
    if (l->found > PRINTED) {
        trace_error_set(TRACE_ERR_DAMAGED, "%" PRIu64 " more parts are damaged or cut", l->found - PRINTED);
        cli_print_warning();
        l->found = 0;
    }
    return l->damaged;
}
