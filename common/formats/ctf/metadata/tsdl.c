/* SPDX-License-Identifier: MIT */
#include "formats/ctf/metadata/tsdl.h"

#include "formats/ctf/metadata/ctf_roles.h"
#include "formats/ctf/metadata/tsdl_blocks.h"
#include "formats/ctf/metadata/tsdl_parser.h"
#include "formats/ctf/metadata/tsdl_types.h"

/* At the top there are blocks and declarations of types. */
static int parse_item(struct tsdl_parser *p)
{
    const struct ctf_class *type;
    bool had;
    int rc = tsdl_skip_sign(p, ';', &had);
    if (rc == 0 && !had)
        rc = tsdl_parse_block(p, &had);
    if (rc == 0 && !had)
        rc = tsdl_parse_declaration(p, &had);
    if (rc != 0 || had)
        return rc;
    rc = tsdl_parse_type(p, &type);
    return rc == 0 ? tsdl_expect_sign(p, ';') : rc;
}

static int check_clocks(const struct tsdl_parser *p)
{
    for (size_t i = 0; i < p->trace->clock_count; ++i)
        if (!p->trace->clocks[i]->is_declared)
            return tsdl_fail(p, p->trace->clocks[i]->line, "the clock \"%s\" is not declared",
                             p->trace->clocks[i]->name);
    return 0;
}

int tsdl_parse(struct ctf_trace *trace, const char *file, const char *text, size_t length)
{
    struct tsdl_scope scope;
    struct tsdl_parser p = {.trace = trace};
    trace->dialect = CTF_1;
    tsdl_lexer_init(&p.lexer, file, text, length);
    tsdl_scope_enter(&p, &scope);
    int rc = tsdl_advance(&p);
    while (rc == 0 && p.token.kind != TSDL_END)
        rc = parse_item(&p);
    if (rc == 0 && trace->order == CTF_ORDER_DEFAULT)
        rc = tsdl_fail(&p, 0, "the metadata have no block \"trace\"");
    tsdl_scope_leave(&p);
    if (rc == 0)
        rc = check_clocks(&p);
    return rc == 0 ? ctf_roles_set_by_names(trace) : rc;
}
