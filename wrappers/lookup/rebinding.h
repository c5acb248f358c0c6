/* SPDX-License-Identifier: MIT
 * Handles libraries whose symbols the loader has bound past the preloaded library, or bound to it by mistake.
 */
#ifndef LOOKUP_REBINDING_H
#define LOOKUP_REBINDING_H

/* Rebinds the libraries that have been loaded since the last call. Call it when the program looks up a
 * symbol. handle: the handle of the lookup, which may be RTLD_DEFAULT or RTLD_NEXT. */
void rebinding_update(void *handle);

#endif
