/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/index/index_modules.h"

#include "base/array.h"
#include "base/error.h"
#include "base/varint.h"

#include <stdlib.h>
#include <string.h>

#define SECTION_MAX  ((uint64_t)1 << 20) /* bytes */
#define BUILD_ID_MAX 64

static int bad(void)
{
    return trace_error_set(TRACE_ERR_FORMAT, "the index's list of modules is damaged");
}

/* Takes a string: its size and its bytes. Returns false if it makes no sense. */
static bool take_bytes(const uint8_t **at, const uint8_t *end, const uint8_t **out, size_t *size)
{
    uint64_t number;
    int used = varint_get(*at, end, &number);
    if (used <= 0 || number > (uint64_t)(end - *at - used))
        return false;
    *out = *at + used;
    *size = (size_t)number;
    *at = *out + number;
    return true;
}

static int take_module(struct trace_modules *m, const uint8_t **at, const uint8_t *end)
{
    struct trace_module module;
    const uint8_t *path;
    size_t path_size;
    if (!take_bytes(at, end, &path, &path_size) || memchr(path, '\0', path_size) != NULL)
        return bad();
    int used = varint_get(*at, end, &module.address);
    *at += used > 0 ? used : 0;
    if (used <= 0 || !take_bytes(at, end, &module.build_id, &module.build_id_size) ||
        module.build_id_size > BUILD_ID_MAX)
        return bad();
    char *text = arena_alloc(&m->memory, path_size + 1);
    if (text == NULL || ARRAY_RESERVE(m->list, m->count, m->room) != 0)
        return TRACE_ERR_MEMORY;
    memcpy(text, path, path_size);
    text[path_size] = '\0';
    module.path = text;
    m->list[m->count++] = module;
    return 0;
}

int trace_modules_read(struct trace_modules *out, struct trace_index *t)
{
    uint64_t size = trace_index_section_size(t, TRACE_SECTION_MODULES);
    *out = (struct trace_modules){.count = 0};
    arena_init(&out->memory);
    if (size == 0)
        return 0;
    if (size > SECTION_MAX)
        return bad();
    uint8_t *bytes = arena_alloc(&out->memory, (size_t)size);
    int rc = bytes != NULL ? trace_index_read_section(t, TRACE_SECTION_MODULES, 0, bytes, (size_t)size)
                           : TRACE_ERR_MEMORY;
    for (const uint8_t *at = bytes; rc == 0 && at < bytes + size;)
        rc = take_module(out, &at, bytes + size);
    return rc;
}

void trace_modules_fini(struct trace_modules *m)
{
    free(m->list);
    arena_fini(&m->memory);
    *m = (struct trace_modules){.count = 0};
}
