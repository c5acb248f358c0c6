/* SPDX-License-Identifier: MIT */
#ifndef BASE_PROCESSORS_H
#define BASE_PROCESSORS_H

/* Returns how many processors this process may run on, at least 1. It is fewer than are online if the process
 * is confined (taskset, a container). */
unsigned processor_count(void);

#endif
