/* SPDX-License-Identifier: MIT
 * Generated tables that only the runtime itself uses.
 */
#ifndef RUNTIME_TABLES_H
#define RUNTIME_TABLES_H

#include <stdint.h>

/* A `values TABLE.ENUM = …` rule: the values of this pname or attribute are enums of this group. */
struct spec_symbol {
    uint32_t selector;
    uint16_t group;
};

struct spec_symbol_table {
    uint32_t entries; /* index of the first one in spec_symbols; they are sorted by selector */
    uint32_t count;
};

extern const struct spec_symbol spec_symbols[];
extern const struct spec_symbol_table spec_symbol_tables[];
extern const unsigned spec_symbol_table_count;

/* An `identifier ENUM = KIND` declaration. */
struct spec_identifier {
    uint32_t value;
    uint16_t kind; /* enum spec_object */
};

/* An `answer ENUM = …` declaration. */
struct spec_answer_entry {
    uint32_t value;
    uint16_t kind; /* enum spec_object */
    uint8_t what;  /* enum spec_answer */
};

extern const struct spec_answer_entry spec_answers[];
extern const unsigned spec_answer_count;
extern const struct spec_identifier spec_identifiers[];
extern const unsigned spec_identifier_count;
extern const uint16_t spec_functions_by_name[]; /* ids, ascending by name */
extern const unsigned spec_length_code_count;   /* words in spec_length_code */

#endif
