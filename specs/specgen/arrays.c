/* SPDX-License-Identifier: MIT */
#include "specgen/arrays.h"

#include "runtime/length_code.h"
#include "specgen/report.h"

bool array_is_payload(const struct param *p)
{
    return p->form != SPEC_FORM_VALUE && p->form != SPEC_FORM_OPAQUE;
}

int array_only(const struct function *f)
{
    int found = -1;
    for (unsigned k = 0; k < f->param_count; ++k) {
        const struct param *p = &f->params[k];
        if (report_unresolved(p, false) || !array_is_payload(p))
            continue;
        if (found >= 0 || p->form != SPEC_FORM_ARRAY ||
            (p->flags & (SPEC_PARAM_OUT | SPEC_PARAM_ATTRIBS)) != 0 ||
            spec_fixed_type(p->type, SPEC_ABI_32) != p->type || p->length.count == 0)
            return -1;
        found = (int)k;
    }
    return found;
}

bool array_length(const struct length *length, unsigned *unit, unsigned *count)
{
    const uint16_t *c = length->code, *end = c + length->count;
    *unit = 1;
    *count = SPEC_NO_PARAM;
    bool has_number = false;
    for (unsigned i = 0; i < 2 && c < end; ++i) {
        if (end - c > 3 && c[0] == LENGTH_CONST && !has_number && c[2] == 0 && c[1] > 0 &&
            c[1] <= UINT8_MAX) {
            *unit = c[1];
            has_number = true;
            c += 3;
        } else if (end - c > 2 && c[0] == LENGTH_ARG && *count == SPEC_NO_PARAM) {
            *count = c[1];
            c += 2;
        }
    }
    if (has_number && *count != SPEC_NO_PARAM && c < end && *c == LENGTH_MUL)
        ++c;
    else if (has_number && *count != SPEC_NO_PARAM)
        return false;
    return end - c == 1 && *c == LENGTH_END && (has_number || *count != SPEC_NO_PARAM);
}
