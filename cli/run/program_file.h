/* SPDX-License-Identifier: MIT
 * The file of the program that `trace-cli trace` runs.
 */
#ifndef CLI_PROGRAM_FILE_H
#define CLI_PROGRAM_FILE_H

/* Opens the file that execvp() would run. program: as the user gave it; without a slash, it is searched for
 * in PATH. Returns a descriptor, or -1. */
int program_file_open(const char *program);

/* Programs by what has to be preloaded into them. */
enum program_kind {
    PROGRAM_NATIVE, /* made for the same ABI as this process, or not an ELF file, such as a script */
    PROGRAM_32_BIT, /* i386, on x86-64 */
    PROGRAM_FOREIGN,
};

enum program_kind program_file_kind(const char *program);

#endif
