/* SPDX-License-Identifier: MIT
 * Looks up functions of the extensions that are offered even if the driver does not have them.
 */
#ifndef GL_GL_OFFERED_FUNCTIONS_H
#define GL_GL_OFFERED_FUNCTIONS_H

/* Returns what a lookup of the GL function `name` should give to the program. real: the driver's function, or
 * NULL if it has none. Returns real, or an offered function in place of NULL. */
void *gl_offers_address(const char *name, void *real);

#endif
