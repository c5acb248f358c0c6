/* SPDX-License-Identifier: MIT */
#include "profile/account_table.h"

#include "base/error.h"
#include "shell/json_print.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_VALUE ACCOUNT_MIN
#define VALUES      (ACCOUNT_SUM - FIRST_VALUE + 1)

struct row {
    uint32_t number;
    uint64_t count;
    double values[VALUES]; /* from ACCOUNT_MIN to ACCOUNT_SUM */
    char *name;
    char *place;
    const char *group; /* NULL: none */
};

/* The column and the order by which rows are compared. */
static struct account_style order;

enum account_column account_column_find(const char *name)
{
    static const char *const names[ACCOUNT_COLUMNS] = {"funcid", "count", "min", "med", "90p",
                                                       "99p",    "max",   "sum", "func"};
    unsigned i = 0;
    while (i < ACCOUNT_COLUMNS && strcmp(names[i], name) != 0)
        ++i;
    return (enum account_column)i;
}

/* --- rows ------------------------------------------------------------------------------------------ */

static int make_row(struct row *row, struct account_function *f, const struct stack_functions *functions,
                    struct map_names *names, double per_unit)
{
    struct latencies *l = &f->latencies;
    const double values[VALUES] = {(double)l->min,
                                   (double)latencies_at(l, l->count / 2),
                                   (double)latencies_at(l, (uint64_t)((double)l->count * 0.9)),
                                   (double)latencies_at(l, (uint64_t)((double)l->count * 0.99)),
                                   (double)l->max,
                                   l->sum};
    row->number = stack_functions_number(functions, f->function);
    row->group = f->group != STACK_NO_GROUP ? functions->functions[f->group].sig->name : NULL;
    row->count = l->count;
    for (unsigned i = 0; i < VALUES; ++i)
        row->values[i] = values[i] / per_unit;
    return map_names_find(names, functions->functions[f->function].sig, &row->name, &row->place);
}

static int compare_column(const struct row *x, const struct row *y, enum account_column column)
{
    switch (column) {
    case ACCOUNT_NUMBER:
        return (x->number > y->number) - (x->number < y->number);
    case ACCOUNT_COUNT:
        return (x->count > y->count) - (x->count < y->count);
    case ACCOUNT_FUNCTION:
        return strcmp(x->name, y->name);
    default:
        return (x->values[column - FIRST_VALUE] > y->values[column - FIRST_VALUE]) -
               (x->values[column - FIRST_VALUE] < y->values[column - FIRST_VALUE]);
    }
}

static int compare_rows(const void *a, const void *b)
{
    int result = compare_column(a, b, order.sort);
    if (result == 0)
        return compare_column(a, b, ACCOUNT_NUMBER);
    return order.descending ? -result : result;
}

static void free_rows(struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        free(rows[i].name);
        free(rows[i].place);
    }
    free(rows);
}

/* Functions of which no call has ended have no row. */
static int make_rows(struct call_account *a, struct map_names *names, const struct account_style *style,
                     struct row **out, size_t *count)
{
    struct row *rows = calloc(a->function_count + 1, sizeof *rows);
    int rc = rows != NULL ? 0 : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    *count = 0;
    for (size_t i = 0; rc == 0 && i < a->function_count; ++i)
        if (a->functions[i]->latencies.count > 0)
            rc = make_row(&rows[(*count)++], a->functions[i], &a->stacks.functions, names, style->per_unit);
    if (rc != 0) {
        free_rows(rows, rows != NULL ? *count : 0);
        return rc;
    }
    order = *style;
    qsort(rows, *count, sizeof *rows, compare_rows);
    *out = rows;
    return 0;
}

/* --- printing -------------------------------------------------------------------------------------- */

static const char *group_name(const struct row *row)
{
    return row->group != NULL ? row->group : "";
}

/* `all`: the rows, those included that are not shown. */
static void print_text(const struct row *rows, size_t count, size_t all)
{
    const char *group = order.has_groups ? "group                     " : "";
    printf("Functions with latencies: %zu\n", all);
    printf(
        "   funcid      count [      min,       med,       90p,       99p,       max]       sum  %sfunction "
        "   \n",
        group);
    for (size_t i = 0; i < count; ++i) {
        const double *v = rows[i].values;
        printf("%9" PRIu32 " %10" PRIu64 " [%9.6f, %9.6f, %9.6f, %9.6f, %9.6f] %9.6f  ", rows[i].number,
               rows[i].count, v[0], v[1], v[2], v[3], v[4], v[5]);
        if (order.has_groups)
            printf("%-24s  ", group_name(&rows[i]));
        printf("%s: %s\n", rows[i].place, rows[i].name);
    }
}

/* A quote in a name is doubled, as RFC 4180 says. */
static void print_quoted(const char *text)
{
    putchar('"');
    for (; *text != '\0'; ++text) {
        if (*text == '"')
            putchar('"');
        putchar(*text);
    }
    putchar('"');
}

static void print_csv(const struct row *rows, size_t count)
{
    printf("funcid,count,min,median,90%%ile,99%%ile,max,sum,debug,function%s\n",
           order.has_groups ? ",group" : "");
    for (size_t i = 0; i < count; ++i) {
        printf("%" PRIu32 ",%" PRIu64, rows[i].number, rows[i].count);
        for (unsigned k = 0; k < VALUES; ++k)
            printf(",%e", rows[i].values[k]);
        putchar(',');
        print_quoted(rows[i].place);
        putchar(',');
        print_quoted(rows[i].name);
        if (order.has_groups) {
            putchar(',');
            print_quoted(group_name(&rows[i]));
        }
        putchar('\n');
    }
}

static void print_json(const struct row *rows, size_t count)
{
    static const char *const names[VALUES] = {"Min", "Median", "P90", "P99", "Max", "Sum"};
    printf("[");
    for (size_t i = 0; i < count; ++i) {
        printf("%s\n  {\"Function\": ", i > 0 ? "," : "");
        json_print_string(rows[i].name);
        printf(", \"Place\": ");
        json_print_string(rows[i].place);
        if (rows[i].group != NULL) {
            printf(", \"Group\": ");
            json_print_string(rows[i].group);
        }
        printf(", \"Number\": %" PRIu32 ", \"Count\": %" PRIu64, rows[i].number, rows[i].count);
        for (unsigned k = 0; k < VALUES; ++k)
            printf(", \"%s\": %.17g", names[k], rows[i].values[k]);
        printf("}");
    }
    printf("%s]\n", count > 0 ? "\n" : "");
}

int account_table_print(struct call_account *a, struct map_names *names, const struct account_style *style)
{
    struct row *rows;
    size_t all;
    int rc = make_rows(a, names, style, &rows, &all);
    if (rc != 0)
        return rc;
    size_t count = style->top > 0 && style->top < all ? style->top : all;
    if (style->format == ACCOUNT_TEXT)
        print_text(rows, count, all);
    else if (style->format == ACCOUNT_CSV)
        print_csv(rows, count);
    else
        print_json(rows, count);
    free_rows(rows, all);
    return 0;
}
