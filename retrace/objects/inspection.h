/* SPDX-License-Identifier: MIT
 * Looks into the replay, for a picture or a state dump.
 */
#ifndef RETRACE_INSPECTION_H
#define RETRACE_INSPECTION_H

#include "replayer.h"

/* What has to be put back. */
struct inspection {
    bool is_paused;     /* conditional rendering */
    bool reads_another; /* drawable than it draws to */
};

/* Between these, errors are the replayer's; the second one clears them. The program's are kept before.
 * Nothing is left out by conditional rendering, and the drawable that is drawn to is the one that is read. A
 * context must be current, and not between glBegin() and glEnd(). */
void inspection_begin(struct replayer *r, struct inspection *i);
void inspection_end(struct replayer *r, const struct inspection *i);

#endif
