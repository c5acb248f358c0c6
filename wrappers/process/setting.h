/* SPDX-License-Identifier: MIT
 * The environment variables that the recorder reads, as they were when the library was loaded: a program may
 * have cleared its environment, or written over it, before its first call.
 */
#ifndef PROCESS_SETTING_H
#define PROCESS_SETTING_H

/* The value that the variable had when the library was loaded. If it was not set then, the value that it has
 * now; NULL if it has none. The text is lent. Only names that setting.c lists are remembered. */
const char *setting_get(const char *name);

#endif
