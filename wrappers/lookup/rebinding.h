/* SPDX-License-Identifier: MIT
 * Libraries whose symbols the loader bound past the preloaded library, or to it where it should not have.
 */
#ifndef LOOKUP_REBINDING_H
#define LOOKUP_REBINDING_H

/* To be called when the program looks something up: looks at libraries that have been loaded since the last
 * time. handle: the library that the program asks, or RTLD_DEFAULT or RTLD_NEXT. */
void rebinding_look(void *handle);

#endif
