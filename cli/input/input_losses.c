/* SPDX-License-Identifier: MIT */
#include "input/input_losses.h"

#include "base/error.h"
#include "shell/messages.h"

#include <inttypes.h>

#define PRINTED 10 /* warnings; the others are counted */

/* Prints the message, or adds it to the collected ones. */
static int tell(struct input_losses *l)
{
    if (l->warnings == NULL) {
        cli_print_warning();
        return 0;
    }
    return buf_printf(l->warnings, "warning: %s\n", trace_error_message()) == 0
               ? 0
               : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

static int warn(struct input_losses *l)
{
    if (l->silent || ++l->found > PRINTED)
        return 0;
    int rc = l->warnings == NULL && l->flush != NULL ? l->flush(l->context) : 0;
    return rc == 0 ? tell(l) : rc;
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
        tell(l);
        l->found = 0;
    }
    return l->damaged;
}
