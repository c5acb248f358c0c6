/* SPDX-License-Identifier: MIT
 * Names of C++ and Rust functions as their sources have them.
 */
#ifndef SYMBOLS_SYMBOL_DEMANGLE_H
#define SYMBOLS_SYMBOL_DEMANGLE_H

/* Returns what the mangled name stands for; NULL if it is none, or too long to be taken apart. The caller
 * frees it. */
char *symbol_demangle(const char *name);

#endif
