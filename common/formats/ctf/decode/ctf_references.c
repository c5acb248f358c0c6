/* SPDX-License-Identifier: MIT */
#include "formats/ctf/decode/ctf_references.h"

#include "base/error.h"

#include <stdio.h>

#define NOWHERE UINT32_MAX

static bool is_called(const char *written, const char *name, const char *wanted)
{
    return strcmp(written, wanted) == 0 || strcmp(name, wanted) == 0;
}

/* Finds a part of the operation at index by its name. A part that is still being compiled has no end, and is
 * not found. */
static uint32_t find_part(const struct ctf_program *p, uint32_t index, const char *name)
{
    const struct ctf_class *type = p->classes[index];
    bool is_structure = type->kind == CTF_STRUCT;
    uint32_t count = is_structure                ? type->u.structure.count
                     : type->kind == CTF_VARIANT ? type->u.variant.count
                                                 : 0;
    uint32_t at = index + 1, found = NOWHERE;
    for (uint32_t i = 0; i < count && at < p->count && p->ops[at].next != 0; ++i, at = p->ops[at].next) {
        const char *part = is_structure ? type->u.structure.members[i].name : type->u.variant.options[i].name;
        const char *written =
            is_structure ? type->u.structure.members[i].written : type->u.variant.options[i].written;
        if (part == NULL)
            continue;
        if (strcmp(written, name) == 0)
            return at;
        if (found == NOWHERE && is_called(written, part, name))
            found = at;
    }
    return found;
}

static uint32_t find_path(const struct ctf_program *p, uint32_t index, const struct ctf_reference *r,
                          uint32_t from)
{
    for (uint32_t i = from; i < r->count && index != NOWHERE; ++i)
        index = find_part(p, index, r->names[i]);
    return index;
}

/* Looks in the structures around the place, the innermost first. */
static uint32_t find_around(const struct ctf_program *p, const struct ctf_frames *frames,
                            const struct ctf_reference *r)
{
    uint32_t ups = 0;
    while (ups < r->count && r->names[ups][0] == '\0')
        ++ups;
    for (uint32_t i = frames->count; i > ups; --i) {
        uint32_t found = find_path(p, frames->ops[i - 1 - ups], r, ups);
        if (found != NOWHERE || ups > 0)
            return found;
    }
    return NOWHERE;
}

static struct ctf_op *find(const struct ctf_compiler *c, const struct ctf_frames *frames,
                           const struct ctf_reference *r, const struct ctf_class **type)
{
    int last = r->scope != CTF_NO_SCOPE ? (int)r->scope : (int)frames->scope;
    for (int scope = last; scope >= 0; --scope) {
        const struct ctf_program *p = c->programs[scope];
        uint32_t found = NOWHERE;
        if (p != NULL && p->count > 0)
            found = r->scope == CTF_NO_SCOPE && scope == (int)frames->scope ? find_around(p, frames, r)
                                                                            : find_path(p, 0, r, 0);
        if (found != NOWHERE) {
            *type = p->classes[found];
            return &p->ops[found];
        }
        if (r->scope != CTF_NO_SCOPE)
            break;
    }
    return NULL;
}

static int say(const struct ctf_reference *r, const char *cause)
{
    char path[128] = "";
    size_t length = 0;
    for (uint32_t i = 0; i < r->count && length < sizeof path; ++i)
        length +=
            (size_t)snprintf(path + length, sizeof path - length, "%s%s", i > 0 ? "." : "", r->names[i]);
    return trace_error_set(TRACE_ERR_FORMAT, "metadata:%u: \"%s\" %s", (unsigned)r->line, path, cause);
}

static int resolve(struct ctf_compiler *c, const struct ctf_frames *frames,
                   const struct ctf_reference *reference, uint16_t *slot, const struct ctf_class **type)
{
    struct ctf_op *op = find(c, frames, reference, type);
    if (op == NULL)
        return say(reference, "is not a field that comes before");
    if ((*type)->kind != CTF_INTEGER && (*type)->kind != CTF_BOOL && (*type)->kind != CTF_BITS)
        return say(reference, "is not an integer");
    if (op->slot == CTF_NO_SLOT) {
        if (c->slot_count == CTF_NO_SLOT)
            return say(reference, "is one field too many that others refer to");
        op->slot = c->slot_count++;
    }
    *slot = op->slot;
    return 0;
}

int ctf_length_resolve(struct ctf_compiler *c, const struct ctf_frames *frames,
                       const struct ctf_reference *reference, uint16_t *slot)
{
    const struct ctf_class *type;
    int rc = resolve(c, frames, reference, slot, &type);
    return rc == 0 && type->u.integer.is_signed ? say(reference, "is a length, but it is signed") : rc;
}

int ctf_selector_resolve(struct ctf_compiler *c, const struct ctf_frames *frames,
                         const struct ctf_reference *reference, uint16_t *slot, const struct ctf_class **type)
{
    if (reference->count == 0)
        return trace_error_set(TRACE_ERR_FORMAT, "a variant has no selector");
    int rc = resolve(c, frames, reference, slot, type);
    bool is_bad = rc == 0 && c->trace->dialect == CTF_1 && !(*type)->u.integer.is_enum;
    return is_bad ? say(reference, "selects, but it is not an enumeration") : rc;
}
