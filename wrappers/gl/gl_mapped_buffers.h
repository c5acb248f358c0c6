/* SPDX-License-Identifier: MIT
 * Functions of mapped buffer objects that are not hooks.
 */
#ifndef GL_GL_MAPPED_BUFFERS_H
#define GL_GL_MAPPED_BUFFERS_H

#include "capture/capture_thread.h"

/* Handles glNotifyMappedBufferRangeVMWX(): the program has written size bytes at start. For a mapping with
 * GL_MAP_NOTIFY_EXPLICIT_BIT_VMWX, nothing else is recorded before the mapping ends. */
void capture_notified_write(struct capture_thread *t, const void *start, uint64_t size);

#endif
