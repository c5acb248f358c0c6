/* SPDX-License-Identifier: MIT
 * Libraries whose symbols the loader bound past the preloaded library, or to it where it should not have.
 */
#ifndef LOOKUP_REBINDING_H
#define LOOKUP_REBINDING_H

/* To be called when the program looks up a symbol: rebinds the libraries that have been loaded since the last
 * time. handle: where the program looks, which may be RTLD_DEFAULT or RTLD_NEXT. */
void rebinding_update(void *handle);

#endif
