/* SPDX-License-Identifier: MIT
 * Demangles the names of C++ and Rust functions.
 */
#ifndef SYMBOLS_SYMBOL_DEMANGLE_H
#define SYMBOLS_SYMBOL_DEMANGLE_H

/* Returns the demangled name, which the caller frees, or NULL if name is not mangled or is too long. */
char *symbol_demangle(const char *name);

#endif
