/* SPDX-License-Identifier: MIT */
#include "formats/ctf/decode/ctf_short_header.h"

static bool is_fixed(const struct ctf_op *op, enum ctf_role role)
{
    return op->code < CTF_READ_LEB128 && op->role == role && op->unit == 0 && !op->is_signed;
}

/* Returns the part of the variant that its first range of ids selects. */
static const struct ctf_op *find_first_part(const struct ctf_program *p, uint32_t variant)
{
    uint32_t part = variant + 1;
    for (uint32_t i = 0; i < p->ops[variant].u.selections[0].part; ++i)
        part = p->ops[part].next;
    return &p->ops[part];
}

static void init_variant(struct ctf_short_header *h, const struct ctf_program *p)
{
    const struct ctf_op *id = &p->ops[1], *variant = &p->ops[2];
    if (variant->from_slot != id->slot || variant->is_signed || variant->selection_count == 0)
        return;
    const struct ctf_op *part = find_first_part(p, 2);
    if (part->code != CTF_READ_STRUCT || part->count != 1 || !is_fixed(part + 1, CTF_TIMESTAMP))
        return;
    h->time_mask = part->align_mask;
    h->ids = variant->u.selections[0].range;
    h->id = id;
    h->time = part + 1;
}

void ctf_short_header_init(struct ctf_short_header *h, const struct ctf_program *p)
{
    *h = (struct ctf_short_header){.ids = {0, UINT64_MAX}};
    if (p->count < 3 || p->ops[0].count != 2 || !is_fixed(&p->ops[1], CTF_EVENT_CLASS_ID))
        return;
    h->begin_mask = p->ops[0].align_mask;
    if (p->ops[2].code == CTF_READ_VARIANT)
        init_variant(h, p);
    if (!is_fixed(&p->ops[2], CTF_TIMESTAMP))
        return;
    h->id = &p->ops[1];
    h->time = &p->ops[2];
}
