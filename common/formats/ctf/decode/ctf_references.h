/* SPDX-License-Identifier: MIT
 * Finds the fields that lengths and selectors refer to.
 */
#ifndef CTF_REFERENCES_H
#define CTF_REFERENCES_H

#include "formats/ctf/decode/ctf_program.h"

#define CTF_FRAMES_MAX 128 /* structures within structures */

/* Where the compiler stands: the operations of the structures around it, the outermost first. */
struct ctf_frames {
    enum ctf_scope scope;
    uint32_t ops[CTF_FRAMES_MAX];
    uint32_t count;
};

/* Gives the field a slot, unless it has one, and returns its number and its class. Errors: TRACE_ERR_FORMAT
 * if there is no such field before, or it is not an integer; a length must not be signed, and a selector of
 * TSDL must be an enumeration. */
int ctf_length_resolve(struct ctf_compiler *c, const struct ctf_frames *frames,
                       const struct ctf_reference *reference, uint16_t *slot);
int ctf_selector_resolve(struct ctf_compiler *c, const struct ctf_frames *frames,
                         const struct ctf_reference *reference, uint16_t *slot,
                         const struct ctf_class **type);

#endif
