/* SPDX-License-Identifier: MIT
 * The environment variables that the recorder reads, as they were when the library was loaded. A program may
 * clear or overwrite its environment before its first call.
 */
#ifndef PROCESS_SETTING_H
#define PROCESS_SETTING_H

/* Returns the value that the variable had when the library was loaded. If it was not set then, returns its
 * current value, or NULL if it has none. The text is lent. Only the names that setting.c lists are
 * remembered. */
const char *setting_get(const char *name);

#endif
