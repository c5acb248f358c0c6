/* SPDX-License-Identifier: MIT
 * Types of fields as CTF 2 writes them in JSON (CTF2-SPEC-2.0, section 5.3, "Field classes").
 */
#ifndef CTF2_PRINT_H
#define CTF2_PRINT_H

#include "base/json_writer.h"
#include "formats/ctf/ctf_types.h"

struct ctf2_printer {
    const struct ctf_trace *trace;
    struct json_writer out;
    struct int_map aliases; /* of classes, to their numbers */
};

/* Properties: nothing is printed for a text or class that is NULL. Names may have any characters. */
void ctf2_print_name(struct ctf2_printer *p, const char *name);
void ctf2_print_text(struct ctf2_printer *p, const char *name, const char *text);
void ctf2_print_uint(struct ctf2_printer *p, const char *name, uint64_t value);
void ctf2_print_sint(struct ctf2_printer *p, const char *name, int64_t value);
void ctf2_print_class(struct ctf2_printer *p, const char *name, const struct ctf_class *type);

/* A fragment: ctf2_begin_fragment() prints its type. */
void ctf2_begin_fragment(struct ctf2_printer *p, const char *type);
void ctf2_end_fragment(struct ctf2_printer *p);

/* Prints fragments that give names to all enumerations that would be long to repeat. */
void ctf2_print_aliases(struct ctf2_printer *p);

/* ctf_out_dialect.print */
int ctf2_print_metadata(const struct ctf_trace *t, struct buf *out);

#endif
