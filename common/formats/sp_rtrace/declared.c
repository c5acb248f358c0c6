/* SPDX-License-Identifier: MIT */
#include "formats/sp_rtrace/declared.h"

void declared_fini(struct declared *d)
{
    buf_fini(&d->places);
}

int declared_add(struct declared *d, const struct declared_place *place)
{
    if (place->kind == DECLARED_HEAP) {
        d->has_heap = true;
        d->heap = *place;
        return 0;
    }
    if (d->places.len / sizeof *place < DECLARED_MAX)
        return buf_append(&d->places, place, sizeof *place);
    if (!d->has_rest)
        d->rest = *place;
    d->has_rest = true;
    return 0;
}

const struct declared_place *declared_next(const struct declared *d, enum declared_kind kind, size_t *at)
{
    const struct declared_place *places = (const struct declared_place *)(const void *)d->places.data;
    size_t count = d->places.len / sizeof *places;
    if (kind == DECLARED_HEAP)
        return d->has_heap && (*at)++ == 0 ? &d->heap : NULL;
    while (*at < count)
        if (places[(*at)++].kind == kind)
            return &places[*at - 1];
    return NULL;
}
