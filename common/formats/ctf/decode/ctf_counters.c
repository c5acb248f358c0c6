/* SPDX-License-Identifier: MIT */
#include "formats/ctf/decode/ctf_counters.h"

#include "base/error.h"
#include "formats/ctf/ctf_uuid.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define INSTANCES_MAX 1000000 /* false numbers must not take memory without end */

void ctf_instances_fini(struct ctf_instances *instances)
{
    for (size_t i = 0; i < instances->by_name.cap; ++i)
        if (instances->by_name.slots[i].key != NULL)
            free((struct ctf_counters *)(uintptr_t)instances->by_name.slots[i].value);
    string_map_fini(&instances->by_name);
}

int ctf_instances_find(struct ctf_instances *instances, const struct ctf_trace *trace, uint64_t stream_class,
                       uint64_t instance, struct ctf_counters **out)
{
    char uuid[CTF_UUID_TEXT] = "", name[CTF_UUID_TEXT + 80];
    uint64_t found;
    if (trace->has_uuid)
        ctf_uuid_print(trace->uuid, uuid);
    snprintf(name, sizeof name, "%s %p %" PRIu64 " %" PRIu64, uuid,
             trace->has_uuid ? NULL : (const void *)trace, stream_class, instance);
    if (string_map_get(&instances->by_name, name, &found)) {
        *out = (struct ctf_counters *)(uintptr_t)found;
        return 0;
    }
    *out = instances->by_name.len < INSTANCES_MAX ? calloc(1, sizeof **out) : NULL;
    if (*out == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "no memory for the counters of %zu streams",
                               instances->by_name.len + 1);
    int rc = string_map_set(&instances->by_name, name, (uintptr_t)*out);
    if (rc != 0)
        free(*out);
    return rc;
}
