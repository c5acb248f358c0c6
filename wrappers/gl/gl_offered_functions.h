/* SPDX-License-Identifier: MIT
 * The functions of the extensions that are offered whether the driver has them or not.
 */
#ifndef GL_GL_OFFERED_FUNCTIONS_H
#define GL_GL_OFFERED_FUNCTIONS_H

/* The program looks up the GL function called name, for which the driver has `real`, or NULL. Returns what to
 * give to the program: real, or an offered function in place of NULL. */
void *gl_offers_address(const char *name, void *real);

#endif
