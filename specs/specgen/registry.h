/* SPDX-License-Identifier: MIT
 * Reads gl.xml, glx.xml and egl.xml.
 */
#ifndef SPECGEN_REGISTRY_H
#define SPECGEN_REGISTRY_H

#include "specgen/specgen_model.h"

void registry_read(struct specgen *g, const char *path);
void registry_finish(struct specgen *g); /* call it after the last file */

#endif
