/* SPDX-License-Identifier: MIT
 * The arguments and results in a record's body, as values of the trace format. For the record encoder only.
 */
#ifndef RECORDS_RECORD_VALUES_H
#define RECORDS_RECORD_VALUES_H

#include "runtime/spec.h"
#include "formats/apitrace/encoder.h"

/* Encodes values, and keeps the signatures that they refer to. */
struct record_values {
    struct trace_encoder events;
    /* The value of the argument that decides what the call's other arguments mean, such as pname
     * (spec_symbol_group()). */
    int64_t selector;
    enum spec_abi abi;            /* of the program; this process's own unless set */
    struct trace_enum_sig *enums; /* index: group; made where the group first occurs */
    struct trace_bitmask_sig *bitmasks;
    struct trace_struct_sig *structs; /* index: struct; name NULL until it first occurs */
};

/* out: not owned, takes the bytes. Errors: TRACE_ERR_MEMORY. */
int record_values_init(struct record_values *values, struct buf *out);
void record_values_fini(struct record_values *values);

/* What is left of a record's body. */
struct record_cursor {
    const uint8_t *at;
    const uint8_t *end;
};

/* False when there are fewer than size bytes left. */
bool record_take(struct record_cursor *c, void *out, size_t size);

/* count words, lent from the record, which is aligned to them. */
bool record_take_words(struct record_cursor *c, unsigned count, const union spec_arg **out);

/* TRACE_ERR_FORMAT, with the message set: the body does not fit the function. */
int record_bad(void);

/* Is the parameter's word all that a record holds of it? */
bool record_is_scalar(const struct spec_param *p);

bool record_returns_nothing(const struct spec_function *f);

/* Argument index, whose word in the record is v; its payload, if it has one, is taken from c. Errors as
 * record_bad(); the event stays well-formed. */
int record_encode_argument(struct record_values *values, const struct spec_function *f, unsigned index,
                           union spec_arg v, struct record_cursor *c);

/* All arguments of a function that has only scalars. Most calls of most programs are like that, so this does
 * at once what record_encode_argument() does step by step. */
void record_encode_scalar_arguments(struct record_values *values, const struct spec_function *f,
                                    const union spec_arg *args);

/* A scalar, by its type and group. */
void record_encode_scalar(struct record_values *values, const struct spec_param *p, union spec_arg v);

#define RECORD_SYMBOL_BYTES 16 /* a tag, a signature's id, a tag and a number at most */

/* Writes the bytes that record_encode_scalar() would append, with that selector, to out, which has room for
 * RECORD_SYMBOL_BYTES. Returns their number; 0 if a signature would have to be written first. */
size_t record_put_symbol(const struct record_values *values, const struct spec_param *param, int64_t selector,
                         union spec_arg v, uint8_t *out);

/* Where an array is that comes in pieces; all zeros at its start. */
struct record_list_place {
    int64_t last;  /* the last element */
    bool is_value; /* the next element is the value of an attribute, whose key is `last` */
};

/* The next elements of an array. */
void record_encode_elements(struct record_values *values, const struct spec_param *p,
                            struct record_list_place *place, const uint8_t *elements, uint64_t count);

/* A pointer to a struct of the tables. */
void record_encode_struct(struct record_values *values, unsigned index, const uint8_t *bytes);

/* A pointer's value, from its payload. */
int record_encode_payload(struct record_values *values, const struct spec_param *p, struct record_cursor *c);

#endif
