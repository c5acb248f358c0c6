/* SPDX-License-Identifier: MIT
 * The environment variables that the recorder reads, as they were when the library was loaded: a program may
 * have cleared its environment, or written over it, before its first call.
 */
#ifndef PROCESS_SETTING_H
#define PROCESS_SETTING_H

/* The value that the variable had at the start; of one that was not set, the one that it has now. NULL: there
 * is none. Lent. Only for the names that setting.c lists. */
const char *setting_get(const char *name);

#endif
