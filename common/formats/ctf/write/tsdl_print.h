/* SPDX-License-Identifier: MIT
 * Prints classes of fields as TSDL, the metadata's language of CTF 1.8.
 */
#ifndef TSDL_PRINT_H
#define TSDL_PRINT_H

#include "base/buf.h"
#include "formats/ctf/ctf_types.h"

/* What is being printed. Appending may fail: `failed`. */
struct tsdl_printer {
    struct buf *out;
    const struct ctf_trace *trace;
    unsigned depth;         /* of nested blocks */
    struct int_map aliases; /* maps the addresses of enumerations that have names to their numbers */
    bool failed;
};

void tsdl_printf(struct tsdl_printer *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void tsdl_begin_line(struct tsdl_printer *p);

void tsdl_print_clock_name(struct tsdl_printer *p, const struct ctf_clock *clock);

/* A string in quotes. */
void tsdl_print_text(struct tsdl_printer *p, const char *text);

/* The members of a structure, each on a line. */
void tsdl_print_members(struct tsdl_printer *p, const struct ctf_class *structure);

/* Declares all enumerations that would be long to repeat. */
void tsdl_print_aliases(struct tsdl_printer *p);

/* `struct { … }` and its alignment. */
void tsdl_print_structure(struct tsdl_printer *p, const struct ctf_class *structure);

/* Whether the name can be written as it is. */
bool tsdl_is_name(const char *name);

/* ctf_out_dialect.write_name, write_variable and adapt */
int tsdl_write_name(struct ctf_trace *t, const char *name, const char **out);
int tsdl_write_variable(struct ctf_trace *t, const char *name, const char **out);
int tsdl_adapt(struct ctf_trace *t, const struct ctf_trace *from, const struct ctf_class *in,
               const struct ctf_class **out);

#endif
