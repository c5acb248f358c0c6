/* SPDX-License-Identifier: MIT
 * Display lists that begin or end a primitive. glBegin() and glEnd() in a list take effect when it is called:
 * a list may have just one of them. Between glBegin() and glEnd(), a replayer can ask the driver nothing.
 * What begins, ends and calls a list is passed on to current_program.h.
 */
#ifndef RETRACE_LIST_PRIMITIVES_H
#define RETRACE_LIST_PRIMITIVES_H

#include "replayer.h"

/* glNewList(), if it has no error: `list` is a traced name. */
void list_primitives_open(struct replayer *r, uint64_t list, GLenum mode);

/* glEndList(). Errors: TRACE_ERR_MEMORY. */
int list_primitives_close(struct replayer *r);

/* glBegin() or glEnd(): in a list, executed, or both. */
void list_primitives_begin(struct replayer *r);
void list_primitives_end(struct replayer *r);

/* glCallList(), and each list of glCallLists(). Unknown lists do nothing. */
void list_primitives_call(struct replayer *r, uint64_t list);

#endif
