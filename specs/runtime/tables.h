/* SPDX-License-Identifier: MIT
 * Generated tables that only the runtime itself uses.
 */
#ifndef RUNTIME_TABLES_H
#define RUNTIME_TABLES_H

#include <stdint.h>

extern const uint16_t spec_functions_by_name[]; /* ids, ascending by name */
extern const unsigned spec_length_code_count;   /* words in spec_length_code */

#endif
