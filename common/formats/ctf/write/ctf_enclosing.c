/* SPDX-License-Identifier: MIT */
#include "formats/ctf/write/ctf_enclosing.h"

const struct ctf_class *ctf_enclosing_at(const struct ctf_enclosing *e, uint32_t ups)
{
    return e->structures[e->depth - 1 - ups];
}

int ctf_enclosing_adapt(struct ctf_enclosing *e, const struct ctf_class *in, struct ctf_class *c,
                        ctf_adapt_members adapt, void *adapter, bool *can)
{
    struct string_map seen = {.slots = NULL};
    *can = e->depth < CTF_ENCLOSING_MAX;
    if (!*can)
        return 0;
    e->structures[e->depth++] = in;
    int rc = adapt(adapter, c, &seen, can);
    e->depth--;
    string_map_fini(&seen);
    return rc;
}
