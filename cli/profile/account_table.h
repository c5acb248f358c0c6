/* SPDX-License-Identifier: MIT
 * The table of an account: a row for each function, sorted, as text, CSV or JSON.
 */
#ifndef CLI_ACCOUNT_TABLE_H
#define CLI_ACCOUNT_TABLE_H

#include "profile/call_account.h"
#include "input/map_names.h"

enum account_column {
    ACCOUNT_NUMBER,
    ACCOUNT_COUNT,
    ACCOUNT_MIN,
    ACCOUNT_MEDIAN,
    ACCOUNT_P90,
    ACCOUNT_P99,
    ACCOUNT_MAX,
    ACCOUNT_SUM,
    ACCOUNT_FUNCTION,
    ACCOUNT_COLUMNS
};

enum account_format {
    ACCOUNT_TEXT,
    ACCOUNT_CSV,
    ACCOUNT_JSON,
};

struct account_style {
    enum account_format format;
    enum account_column sort;
    bool descending;
    uint32_t top;    /* number of rows; 0: all */
    double per_unit; /* ticks or nanoseconds for each unit that is printed: a second, or a tick */
    bool has_groups; /* a column tells the debug group */
};

/* Returns the column with this name, as options spell it, or ACCOUNT_COLUMNS. */
enum account_column account_column_find(const char *name);

/* Prints the table to the standard output. Errors: TRACE_ERR_MEMORY. */
int account_table_print(struct call_account *a, struct map_names *names, const struct account_style *style);

#endif
