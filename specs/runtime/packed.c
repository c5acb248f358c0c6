/* SPDX-License-Identifier: MIT */
#include "runtime/packed.h"

static size_t member_size(const struct spec_param *p)
{
    if (p->form == SPEC_FORM_ARRAY)
        return spec_type_size(p->type);
    return p->type == SPEC_IPTR || p->type == SPEC_UPTR || spec_type_size(p->type) > sizeof(uint32_t)
               ? sizeof(uint64_t)
               : sizeof(uint32_t);
}

static size_t align(size_t offset, size_t alignment)
{
    return (offset + alignment - 1) & ~(alignment - 1);
}

bool spec_packed_layout(const struct spec_function *f, struct spec_packed *out)
{
    size_t at = 0, alignment = 1;
    if (f->runner == 0)
        return false;
    for (unsigned i = 0; i < f->param_count; ++i) {
        const struct spec_param *p = spec_param(f, i);
        size_t size = member_size(p);
        unsigned count = p->form == SPEC_FORM_ARRAY ? f->array_unit : 0;
        at = align(at, size);
        out->params[i] = (struct spec_packed_param){.offset = (uint16_t)at,
                                                    .type = p->type,
                                                    .count = (uint8_t)count,
                                                    .is_one = f->array_unit > 0 && i == f->array_count};
        at += count > 0 ? count * size : size;
        alignment = size > alignment ? size : alignment;
    }
    out->size = (unsigned)align(at, alignment);
    return true;
}
