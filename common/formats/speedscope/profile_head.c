/* SPDX-License-Identifier: MIT */
#include "formats/speedscope/profile_head.h"

#include <inttypes.h>
#include <stdio.h>

int profile_head_put(struct log_output *out, const struct profile_head *head)
{
    char process[48] = "", text[256];
    if (head->process != 0)
        snprintf(process, sizeof process, "process %" PRIu64 ", ", head->process);
    int count = snprintf(text, sizeof text,
                         "%s{\"type\":\"%s\",\"name\":\"%sthread %" PRIu64
                         "\",\"unit\":\"%s\",\"startValue\":%" PRId64 ",\"endValue\":%" PRId64,
                         head->follows ? ",\n" : "", head->type, process, head->thread,
                         head->has_times ? "nanoseconds" : "none", head->first, head->last);
    return log_output_put(out, text, (size_t)count);
}
