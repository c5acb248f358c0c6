/* SPDX-License-Identifier: MIT */
#include "handlers/traced_heap.h"

#include <string.h>

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

/* contents: `given` bytes, at most size of which are copied; the rest is zero. */
static int allocate(struct replayer *r, struct replay_call *c, uint64_t size, const void *contents,
                    uint64_t given)
{
    uint64_t traced = trace_value_to_uint(&c->call->ret, 0);
    if (traced == 0 || size == 0)
        return 0;
    struct memory_region region = {.traced = traced, .size = size, .owner = heap, .buffer = traced};
    int rc = memory_regions_allocate(&r->regions, &region);
    if (rc == 0 && contents != NULL)
        memcpy(region.real, contents, given < size ? given : size);
    return rc;
}

static int handle_malloc(struct replayer *r, struct replay_call *c)
{
    return allocate(r, c, number(c, 0), NULL, 0);
}

static int handle_realloc(struct replayer *r, struct replay_call *c)
{
    uint64_t available = 0, old = number(c, 0);
    const uint8_t *contents = memory_regions_find(&r->regions, old, &available);
    if (contents != NULL)
        release(r, old);
    return allocate(r, c, number(c, 1), contents, available);
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
