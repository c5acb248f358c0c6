/* SPDX-License-Identifier: MIT */
#include "collector/flight/flight_snapshot.h"

#include <stdlib.h>

void flight_snapshot_fini(struct flight_snapshot *s)
{
    flight_chunks_unref(s->chunks, s->chunk_count);
    buf_fini(&s->signatures);
    buf_fini(&s->state);
    free(s->left_out);
    *s = (struct flight_snapshot){.chunks = NULL};
}
