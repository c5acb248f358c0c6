/* SPDX-License-Identifier: MIT
 * What functions are called of which a trace only has numbers: by the instrumentation maps of the program
 * that wrote it, and of the libraries that the program loaded.
 */
#ifndef CLI_MAP_NAMES_H
#define CLI_MAP_NAMES_H

#include "shell/command.h"
#include "symbols/symbolizer.h"
#include "symbols/xray_map.h"
#include "trace/model.h"
#include "trace/source.h"

/* Entries of an option table, and the paragraph on them in its help. type is the command's structure, which
 * has struct instr_maps as `member`; set: the callback. */
#define INSTR_MAP_OPTION(set)                                                                                \
    {                                                                                                        \
        CLI_OPTION_CALLBACK, 'm', "instr-map", "instr_map", "FILE", 0,                                       \
            "the program that wrote the log, which has the names of its\n"                                   \
            "functions; again for each library that it loaded",                                              \
            set                                                                                              \
    }
#define NO_DEMANGLE_OPTION(offset)                                                                           \
    {                                                                                                        \
        CLI_OPTION_FLAG, 0, "no-demangle", NULL, NULL, offset,                                               \
            "show these names as linkers know them (C++, Rust)", NULL                                        \
    }
#define INSTR_MAP_OPTIONS(type, member, set)                                                                 \
    INSTR_MAP_OPTION(set), NO_DEMANGLE_OPTION(offsetof(type, member.mangled))
#define SYMBOLIZE_OPTION(member)                                                                             \
    {                                                                                                        \
        CLI_OPTION_FLAG, 'y', "symbolize", NULL, NULL, member,                                               \
            "name functions, also if --instr-map is not given", NULL                                         \
    }
#define INSTR_MAP_HELP                                                                                       \
    "FILE may be NUMBER=FILE, with the high 8 bits of its functions' numbers. Without it, the program\n"     \
    "has 0, and the libraries that follow it 1, 2 and so on. A program that is not given is looked for\n"    \
    "by the name of the log, xray-log.PROGRAM.XXXXXX or PROGRAM.xray: beside the log, in the current\n"      \
    "directory and in PATH.\n"

/* The values of --instr-map: FILE, or NUMBER=FILE. Zero-initialise it before use. */
struct instr_maps {
    bool mangled;        /* --no-demangle */
    const char **values; /* each lent */
    size_t count;
    size_t room;
};

/* Adds a value; for the option's callback. Errors: TRACE_ERR_MEMORY. */
int instr_maps_add(struct instr_maps *maps, const char *value);
void instr_maps_fini(struct instr_maps *maps);

/* A program, or a library that it loaded. */
struct named_object {
    uint32_t number; /* the high bits of its functions' numbers; 0: the program */
    char *path;
    struct xray_map map;
};

struct map_names {
    struct named_object *objects;
    size_t count;
    size_t room;
    bool was_found; /* the program was not given, but found */
    bool mangled;   /* names are shown as in the symbol table */
    struct symbolizer *symbolizer;
    char *text; /* the latest name */
};

/* Reads the maps. The first file without a number is the program, the next one the first library that it
 * loaded, and so on. After an error there is nothing to free. Errors: TRACE_ERR_USAGE (a number is given
 * twice or too high), those of xray_map_read(). */
int map_names_init(struct map_names *n, const struct instr_maps *maps);
/* Does the same for one file. */
int map_names_init_program(struct map_names *n, const char *path, bool mangled);
void map_names_fini(struct map_names *n);

/* If no file was given, and functions of the format only have numbers, looks for the program by the name of
 * the log at path. It is only taken if it has a map and is not newer than the log. Says on the standard error
 * what was found. Errors: TRACE_ERR_MEMORY. */
int map_names_find_program(struct map_names *n, const char *format, const char *path);

/* Checks whether a function of this number exists. If not, and if the program was found by itself, forgets
 * it, and warns: another one wrote the log. */
void map_names_doubt(struct map_names *n, uint32_t number);

/* Sets *name and *place (file, line and column, or "(unknown)"), which the caller frees. Errors:
 * TRACE_ERR_MEMORY. */
int map_names_find(struct map_names *n, const struct trace_function_sig *sig, char **name, char **place);

/* Returns the name of a function, lent until the next call, or NULL after setting the message: the program
 * was found by itself, and lacks the function. names: struct map_names. */
const char *map_names_of_number(void *names, uint32_t number);
/* Does the same for a function that has a number; NULL for others. */
const char *map_names_of_function(void *names, const struct trace_function_sig *sig);

/* Reads the maps, and makes a source that was just opened call its functions by their names; without a file
 * and if names are wanted, by those of the program that is found. n is lent to the source until it is closed.
 * After an error there is nothing to free. Errors: those of map_names_init(). */
int map_names_apply(struct map_names *n, const struct instr_maps *maps, bool wanted,
                    struct trace_source *source, const char *path);

#endif
