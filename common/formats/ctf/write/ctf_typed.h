/* SPDX-License-Identifier: MIT
 * Writes events of formats without typed fields.
 */
#ifndef CTF_TYPED_H
#define CTF_TYPED_H

#include "formats/ctf/write/ctf_sink_state.h"

/* Writes an event that has no classes. */
int ctf_sink_put_typed(struct ctf_sink *s, const struct trace_event *event);

#endif
