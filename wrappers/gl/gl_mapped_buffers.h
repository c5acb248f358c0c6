/* SPDX-License-Identifier: MIT
 * Mapped buffer objects, beyond their hooks.
 */
#ifndef GL_GL_MAPPED_BUFFERS_H
#define GL_GL_MAPPED_BUFFERS_H

#include "capture/capture_thread.h"

/* glNotifyMappedBufferRangeVMWX(): the program has written size bytes at start. Of a mapping that was made
 * with GL_MAP_NOTIFY_EXPLICIT_BIT_VMWX, nothing else is recorded before it ends. */
void capture_notified_write(struct capture_thread *t, const void *start, uint64_t size);

#endif
