/* SPDX-License-Identifier: MIT */
#include "specgen/report.h"

#include <stdio.h>

/* Returns true if a pointer's form is unknown, or if its form needs a length and no rule gives one. */
bool report_unresolved(const struct param *p, bool is_return)
{
    if (!is_pointer(p))
        return false;
    if (!p->form_known)
        return true;
    switch (p->form) {
    case SPEC_FORM_ARRAY:
    case SPEC_FORM_BLOB:
    case SPEC_FORM_STRINGS:
    case SPEC_FORM_BLOBS:
        return p->length.count == 0;
    case SPEC_FORM_STRING:
        return p->length.count == 0 && (p->flags & SPEC_PARAM_OUT) && !is_return;
    default:
        return false;
    }
}

unsigned report_print(const struct specgen *g)
{
    unsigned count = 0;
    for (size_t i = 0; i < g->functions.count; ++i) {
        struct function *f = LIST_AT(struct function *, g->functions, i);
        for (unsigned k = 0; k <= f->param_count; ++k) {
            const struct param *p = param_at(f, k);
            if (!report_unresolved(p, k == f->param_count))
                continue;
            printf("%s.%s[%s]", f->name, k == f->param_count ? "return" : p->name, p->c.text);
            if (p->len != NULL)
                printf("(%s)", p->len);
            putchar('\n');
            count++;
        }
    }
    printf("%u pointers without a rule\n", count);
    return count;
}
