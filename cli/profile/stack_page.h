/* SPDX-License-Identifier: MIT
 * The stacks of a tree as a flame graph: a page with all that it needs.
 */
#ifndef CLI_STACK_PAGE_H
#define CLI_STACK_PAGE_H

#include "profile/stack_json.h"

/* Prints the page on the standard output. title: the trace's name. stacks->write is not used. Errors: those
 * of stack_json_write(). */
int stack_page_print(const struct stack_json *stacks, const char *title);

#endif
