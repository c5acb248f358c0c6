/* SPDX-License-Identifier: MIT */
#include "unpack_args.h"

#include <stdlib.h>
#include <string.h>

/* The type in which a number is stored that is no element of an array. */
static enum spec_type stored_type(enum spec_type type)
{
    switch (type) {
    case SPEC_I8:
    case SPEC_I16:
        return SPEC_I32;
    case SPEC_U8:
    case SPEC_U16:
        return SPEC_U32;
    case SPEC_IPTR:
    case SPEC_UPTR:
        return SPEC_U64;
    default:
        return type;
    }
}

void *unpack_args(const struct spec_function *f, const void *packed, union spec_arg *args)
{
    struct spec_packed layout;
    void *array = NULL;
    if (!spec_packed_layout(f, &layout))
        abort();
    for (unsigned i = 0; i < f->param_count; ++i) {
        const struct spec_packed_param *p = &layout.params[i];
        const char *at = (const char *)packed + p->offset;
        size_t size = p->count * spec_type_size((enum spec_type)p->type);
        if (p->count == 0) {
            spec_load(stored_type((enum spec_type)p->type), at, 0, &args[i]);
            continue;
        }
        array = malloc(size);
        if (array == NULL)
            abort();
        args[i] = spec_arg_ptr(memcpy(array, at, size));
    }
    return array;
}
