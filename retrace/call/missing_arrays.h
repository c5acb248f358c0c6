/* SPDX-License-Identifier: MIT
 * Client arrays whose contents are not in the trace. A draw that reads one would crash the driver.
 */
#ifndef RETRACE_MISSING_ARRAYS_H
#define RETRACE_MISSING_ARRAYS_H

#include "replayer.h"

/* Returns a number for each array that GL distinguishes: by function, vertex array object and index. The
 * functions for attributes set the same ones. */
uint64_t client_array_slot(const struct replay_call *c, const struct replay_context *context, uint64_t index);

/* The same for a function by its id (SPEC_FN_…). */
uint64_t client_array_slot_of(unsigned function, const struct replay_context *context, uint64_t index);

/* Returns true if the slot's array is a generic attribute; its index is in the low bits. */
bool client_array_is_attribute(uint64_t slot);

/* Returns true if the array is enabled. Not between glBegin() and glEnd(); the caller clears errors. */
bool client_array_is_enabled(struct replayer *r, uint64_t slot);

/* Returns for how many instances a draw uses the same element; 0: each vertex has its own. Likewise. */
GLuint client_array_divisor(struct replayer *r, uint64_t slot);

/* Notes that the contents of an array of the current context are missing, or are there. */
int missing_arrays_set(struct replayer *r, uint64_t slot, bool missing);

/* Notes that the pointer of an array of the current context is an offset into a buffer; 0: it is not, or it
 * would be NULL without the buffer. */
int missing_arrays_set_offset(struct replayer *r, uint64_t slot, uint64_t offset);

/* A call may have taken the buffers from arrays of the bound array object: their offsets are no addresses. */
int missing_arrays_update(struct replayer *r);

/* Notes that the address of an array of the current context is NULL. */
int missing_arrays_set_null(struct replayer *r, uint64_t slot);

/* A pointer for calls with errors, which need one that is not NULL. Mesa keeps it in spite of some errors. */
extern const uint64_t missing_arrays_nowhere[4];

/* Notes that a call with an error gave this pointer to an array. */
int missing_arrays_refuse(struct replayer *r, uint64_t slot);

/* Notes that an array of the current context was enabled: a driver reads it from NULL if nothing has set it
 * when something is drawn. array: as glEnableClientState() takes it; unit: that of texture coordinates. */
int missing_arrays_enable_state(struct replayer *r, GLenum array, uint64_t unit);
int missing_arrays_enable_attribute(struct replayer *r, uint64_t index);

/* Returns true if an array that is enabled is missing. reads_all: the driver reads arrays that it does not
 * need, too: for a display list, or for glArrayElement(). Between glBegin() and glEnd() it is what it was at
 * glBegin(). A context must be current. */
bool missing_arrays_enabled(struct replayer *r, bool reads_all);

/* Sets the error of a draw from an array that is missing, and returns it. */
int missing_arrays_fail(const struct replay_call *c);

#endif
