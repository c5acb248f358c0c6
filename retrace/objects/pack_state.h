/* SPDX-License-Identifier: MIT
 * The program's state that affects which pixels the replayer gets when it reads some for itself, and where
 * and how they are stored.
 */
#ifndef RETRACE_PACK_STATE_H
#define RETRACE_PACK_STATE_H

#include "replayer.h"

enum {
    PACK_STATE_PARAMETERS = 10,
    PACK_STATE_TRANSFERS = 14,
    PACK_REVERSE_ROW_ORDER_ANGLE = 0x93a4, /* in OpenGL ES */
};

struct pack_state {
    GLint values[PACK_STATE_PARAMETERS]; /* of those that were changed */
    bool is_changed[PACK_STATE_PARAMETERS];
    GLfloat transfers[PACK_STATE_TRANSFERS]; /* likewise */
    bool is_transfer_changed[PACK_STATE_TRANSFERS];
    GLint buffer;
    bool has_buffer; /* the context has pack buffers */
};

/* Sets the state of the current context to plain rows of unchanged values without gaps, in memory. Notes in
 * *s what it was. Returns false, and changes nothing, if that is impossible: a buffer is bound for packing
 * that another context has deleted, so it could not be bound again. */
bool pack_state_reset(struct replayer *r, struct pack_state *s);
void pack_state_restore(struct replayer *r, const struct pack_state *s);

#endif
