/* SPDX-License-Identifier: MIT */
#ifndef BASE_PROCESSORS_H
#define BASE_PROCESSORS_H

/* Processors that this program may run on, at least 1: those that are online, or fewer if it is confined
 * (taskset, a container). */
unsigned processor_count(void);

#endif
