/* SPDX-License-Identifier: MIT */
#include "handlers/traced_heap.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* The owner of the regions, each of which is a "buffer" with its address as the name. */
static const char heap[] = "heap";

static uint64_t number(const struct replay_call *c, unsigned i)
{
    return i < c->call->arg_count ? trace_value_to_uint(&c->call->args[i], 0) : 0;
}

static void release(struct replayer *r, uint64_t traced)
{
    memory_regions_remove_buffer(&r->regions, heap, traced);
}

static int allocate(struct replayer *r, struct replay_call *c, uint64_t size)
{
    uint64_t traced = trace_value_to_uint(&c->call->ret, 0);
    if (traced == 0 || size == 0)
        return 0;
    struct memory_region region = {.traced = traced, .size = size, .owner = heap, .buffer = traced};
    return memory_regions_allocate(&r->regions, &region);
}

static int handle_malloc(struct replayer *r, struct replay_call *c)
{
    return allocate(r, c, number(c, 0));
}

/* The new memory may be where the old one was, so its contents are kept elsewhere meanwhile. */
static int handle_realloc(struct replayer *r, struct replay_call *c)
{
    uint64_t available = 0, size = number(c, 1), old = number(c, 0);
    const uint8_t *contents = memory_regions_find(&r->regions, old, &available);
    uint64_t kept = contents == NULL ? 0 : available < size ? available : size;
    uint8_t *copy = kept > 0 ? malloc(kept) : NULL;
    if (kept > 0 && copy == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for %llu bytes of the program",
                               (unsigned long long)kept);
    if (kept > 0)
        memcpy(copy, contents, kept);
    release(r, old);
    int rc = allocate(r, c, size);
    uint8_t *real = memory_regions_find(&r->regions, trace_value_to_uint(&c->call->ret, 0), &available);
    if (rc == 0 && kept > 0 && real != NULL)
        memcpy(real, copy, kept < available ? kept : available);
    free(copy);
    return rc;
}

static int handle_free(struct replayer *r, struct replay_call *c)
{
    release(r, number(c, 0));
    return 0;
}

replay_handler traced_heap_handler(const char *name)
{
    static const struct {
        const char *name;
        replay_handler handler;
    } functions[] = {{"malloc", handle_malloc}, {"realloc", handle_realloc}, {"free", handle_free}};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
        if (strcmp(name, functions[i].name) == 0)
            return functions[i].handler;
    return NULL;
}
