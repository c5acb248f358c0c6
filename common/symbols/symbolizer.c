/* SPDX-License-Identifier: MIT */
#include "symbols/symbolizer.h"

#include "base/array.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/hash_map.h"
#include "symbols/debug_files.h"
#include "symbols/dwarf_file.h"
#include "symbols/elf_symbols.h"
#include "symbols/symbol_demangle.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY_LIMIT (UINT64_C(256) << 20)
#define FRAMES_MAX   1024 /* functions inlined into each other */

/* A module: its files, and what has been read from them. */
struct module_symbols {
    char *name;             /* the module's path */
    struct elf_file *file;  /* NULL: the file cannot be used */
    struct elf_file *debug; /* separate debug information, or NULL */
    struct elf_symbols symbols;
    struct elf_file *alternate; /* what its debug information has in common with that of others, or NULL */
    struct dwarf_file *dwarf;   /* NULL: there is none */
};

struct symbolizer {
    struct debug_directories directories;
    void (*tell)(void *context, const char *module, const char *message);
    void *context;
    size_t memory_limit;
    struct string_map by_key; /* maps keys to indexes of modules */
    struct module_symbols **modules;
    size_t module_count;
    size_t module_room;
    uint64_t now; /* counts calls of symbolizer_find() */
    struct symbol_frame *frames;
    size_t frame_count;
    size_t frame_room;
    struct arena texts; /* strings of the returned frames */
    struct buf key;
};

int symbolizer_new(struct symbolizer **out)
{
    struct symbolizer *s = calloc(1, sizeof *s);
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    s->memory_limit = MEMORY_LIMIT;
    arena_init(&s->texts);
    *out = s;
    return 0;
}

static void close_module(struct module_symbols *m)
{
    dwarf_file_close(m->dwarf);
    elf_symbols_fini(&m->symbols);
    elf_file_close(m->alternate);
    elf_file_close(m->debug);
    elf_file_close(m->file);
    free(m->name);
    free(m);
}

void symbolizer_free(struct symbolizer *s)
{
    if (s == NULL)
        return;
    for (size_t i = 0; i < s->module_count; ++i)
        close_module(s->modules[i]);
    free(s->modules);
    free(s->frames);
    debug_directories_fini(&s->directories);
    string_map_fini(&s->by_key);
    arena_fini(&s->texts);
    buf_fini(&s->key);
    free(s);
}

int symbolizer_add_debug_directory(struct symbolizer *s, const char *path)
{
    return debug_directories_add(&s->directories, path);
}

void symbolizer_set_warning(struct symbolizer *s,
                            void (*tell)(void *context, const char *module, const char *message),
                            void *context)
{
    s->tell = tell;
    s->context = context;
}

void symbolizer_set_memory_limit(struct symbolizer *s, size_t bytes)
{
    s->memory_limit = bytes;
}

/* --- modules --------------------------------------------------------------------------------------- */

/* Passes the error message to the callback, except for lack of memory. */
static int warn(const struct symbolizer *s, const struct module_symbols *m, int rc)
{
    if (rc == TRACE_ERR_MEMORY || rc == 0)
        return rc;
    struct trace_kept_error error;
    trace_error_keep(&error, rc);
    if (s->tell != NULL)
        s->tell(s->context, m->name, error.message);
    return 0;
}

static int check_build_id(const struct elf_file *f, const struct symbol_module *module)
{
    if (module->build_id_size == 0 || (f->build_id_size == module->build_id_size &&
                                       memcmp(f->build_id, module->build_id, module->build_id_size) == 0))
        return 0;
    return trace_error_set(TRACE_ERR_FORMAT, "%s: this is not the file that ran: its build-id differs",
                           module->path);
}

/* Opens the module's own file. m->file stays NULL if it cannot be used. */
static int open_file(struct symbolizer *s, struct module_symbols *m, const struct symbol_module *module)
{
    int rc = elf_file_open(&m->file, module->path);
    if (rc == 0)
        rc = check_build_id(m->file, module);
    if (rc == 0)
        return 0;
    elf_file_close(m->file);
    m->file = NULL;
    return warn(s, m, rc);
}

static bool has_debug_information(const struct elf_file *f)
{
    return f != NULL && elf_file_find_section(f, ".debug_info") != 0;
}

/* Opens separate debug information. Does not need the module's file if the build-id is known. */
static int open_debug(struct symbolizer *s, struct module_symbols *m, const struct symbol_module *module)
{
    const struct debug_wanted wanted = {
        .path = module->path,
        .file = m->file,
        .build_id = m->file != NULL ? m->file->build_id : module->build_id,
        .build_id_size = m->file != NULL ? m->file->build_id_size : module->build_id_size,
    };
    if (has_debug_information(m->file))
        return 0;
    return warn(s, m, debug_files_find(&s->directories, &wanted, &m->debug));
}

/* Loads the first of the symbol tables that contains functions. */
static int load_symbols(struct symbolizer *s, struct module_symbols *m)
{
    const struct {
        struct elf_file *file;
        uint32_t type;
    } tables[] = {{m->file, SHT_SYMTAB}, {m->debug, SHT_SYMTAB}, {m->file, SHT_DYNSYM}};
    int rc = 0;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && m->symbols.count == 0 && rc == 0; ++i)
        if (tables[i].file != NULL)
            rc = warn(s, m, elf_symbols_load(&m->symbols, tables[i].file, tables[i].type));
    return rc;
}

static int open_dwarf(struct symbolizer *s, struct module_symbols *m)
{
    struct elf_file *file = m->debug != NULL ? m->debug : m->file;
    if (file == NULL)
        return 0;
    int rc = warn(s, m, debug_files_find_alternate(&s->directories, file, &m->alternate));
    return rc == 0 ? warn(s, m, dwarf_file_open(&m->dwarf, file, m->alternate)) : rc;
}

static int open_module(struct symbolizer *s, struct module_symbols *m, const struct symbol_module *module)
{
    int rc = open_file(s, m, module);
    if (rc == 0)
        rc = open_debug(s, m, module);
    if (rc == 0)
        rc = load_symbols(s, m);
    return rc == 0 ? open_dwarf(s, m) : rc;
}

static int add_module(struct symbolizer *s, const struct symbol_module *module)
{
    if (ARRAY_RESERVE(s->modules, s->module_count, s->module_room) != 0)
        return TRACE_ERR_MEMORY;
    struct module_symbols *m = calloc(1, sizeof *m);
    if (m == NULL || (m->name = strdup(module->path)) == NULL) {
        free(m);
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    }
    int rc = open_module(s, m, module);
    if (rc == 0)
        rc = string_map_set(&s->by_key, (const char *)s->key.data, s->module_count);
    if (rc != 0) {
        close_module(m);
        return rc;
    }
    s->modules[s->module_count++] = m;
    return 0;
}

/* Makes the key: path and build-id as text. */
static int make_key(struct buf *key, const struct symbol_module *module)
{
    buf_clear(key);
    int rc = buf_append_string(key, module->path);
    if (rc == 0)
        rc = buf_append_byte(key, '\n');
    if (rc == 0)
        rc = buf_reserve(key, 2 * module->build_id_size);
    for (size_t i = 0; i < 2 * module->build_id_size && rc == 0; ++i)
        key->data[key->len++] =
            (uint8_t) "0123456789abcdef"[module->build_id[i / 2] >> (i % 2 == 0 ? 4 : 0) & 0xf];
    return rc == 0 ? buf_append_byte(key, 0) : rc;
}

static int find_module(struct symbolizer *s, const struct symbol_module *module, struct module_symbols **out)
{
    uint64_t index;
    if (make_key(&s->key, module) != 0)
        return TRACE_ERR_MEMORY;
    if (!string_map_get(&s->by_key, (const char *)s->key.data, &index)) {
        int rc = add_module(s, module);
        if (rc != 0)
            return rc;
        index = s->module_count - 1;
    }
    *out = s->modules[index];
    return 0;
}

/* --- memory ---------------------------------------------------------------------------------------- */

static size_t units_memory(const struct symbolizer *s)
{
    size_t memory = 0;
    for (size_t i = 0; i < s->module_count; ++i)
        if (s->modules[i]->dwarf != NULL)
            memory += s->modules[i]->dwarf->memory;
    return memory;
}

/* Frees the units that have not been used for the longest time. */
static void keep_limit(struct symbolizer *s)
{
    while (units_memory(s) > s->memory_limit) {
        struct dwarf_file *oldest = NULL;
        uint64_t oldest_use = s->now; /* the unit in use is kept */
        for (size_t i = 0; i < s->module_count; ++i) {
            struct dwarf_file *dwarf = s->modules[i]->dwarf;
            uint64_t use = dwarf != NULL ? dwarf_file_oldest_use(dwarf) : UINT64_MAX;
            if (use < oldest_use) {
                oldest = dwarf;
                oldest_use = use;
            }
        }
        if (oldest == NULL)
            return;
        dwarf_file_forget_oldest(oldest);
    }
}

/* --- frames ---------------------------------------------------------------------------------------- */

static int add_frame(struct symbolizer *s, struct symbol_frame frame, const char *name,
                     const char *linkage_name)
{
    const char *raw = linkage_name != NULL ? linkage_name : name;
    if (ARRAY_RESERVE(s->frames, s->frame_count, s->frame_room) != 0)
        return TRACE_ERR_MEMORY;
    char *demangled = raw != NULL ? symbol_demangle(raw) : NULL;
    frame.function = raw;
    frame.linkage_name = linkage_name;
    if (demangled != NULL) {
        frame.linkage_name = raw;
        frame.function = arena_copy(&s->texts, demangled, strlen(demangled) + 1);
        free(demangled);
        if (frame.function == NULL)
            return TRACE_ERR_MEMORY;
    }
    s->frames[s->frame_count++] = frame;
    return 0;
}

/* Returns the symbol's name for a function if the debug information has no name, or only the one in the
 * source. */
static const char *mangled_symbol(const struct elf_symbol *symbol, const struct dwarf_function *f)
{
    if (f->names.linkage_name != NULL || f->inlined)
        return f->names.linkage_name;
    if (symbol == NULL || f->names.name == NULL)
        return symbol != NULL ? symbol->name : NULL;
    return symbol->address == f->entry && strncmp(symbol->name, "_Z", 2) == 0 ? symbol->name : NULL;
}

static void set_place(struct symbol_frame *frame, const struct dwarf_unit *unit, uint64_t file, uint64_t line)
{
    frame->file = dwarf_lines_file(&unit->lines, file);
    frame->line = frame->file != NULL && line != 0 ? (int64_t)line : -1;
}

/* Returns the function that contains the code if inlining is ignored. */
static const struct dwarf_function *outermost(struct dwarf_unit *unit, const struct dwarf_function *f)
{
    const struct dwarf_function *parent;
    while ((parent = dwarf_unit_parent(unit, f)) != NULL)
        f = parent;
    return f;
}

static int add_unit_frames(struct symbolizer *s, struct dwarf_unit *unit, uint64_t address,
                           const struct elf_symbol *symbol)
{
    const struct dwarf_function *f = dwarf_unit_find_function(unit, address);
    const struct dwarf_line *line = dwarf_lines_find(&unit->lines, address);
    struct symbol_frame frame = {.line = -1, .offset = -1};
    if (line != NULL)
        set_place(&frame, unit, line->file, line->line);
    if (symbol != NULL)
        frame.offset = (int64_t)(address - symbol->address);
    else if (f != NULL)
        frame.offset = (int64_t)(address - outermost(unit, f)->entry);
    if (f == NULL)
        return line == NULL ? 0 : add_frame(s, frame, symbol != NULL ? symbol->name : NULL, NULL);
    while (f != NULL && s->frame_count < FRAMES_MAX) {
        frame.inlined = f->inlined;
        int rc = add_frame(s, frame, f->names.name, mangled_symbol(symbol, f));
        if (rc != 0)
            return rc;
        set_place(&frame, unit, f->call_file, f->call_line);
        f = dwarf_unit_parent(unit, f);
    }
    return 0;
}

static int find_frames(struct symbolizer *s, struct module_symbols *m, uint64_t address)
{
    const struct elf_symbol *symbol = elf_symbols_find(&m->symbols, address);
    struct dwarf_unit *unit = NULL;
    int rc = 0;
    if (m->dwarf != NULL)
        rc = warn(s, m, dwarf_file_find_unit(m->dwarf, address, s->now, &unit));
    if (rc == 0 && unit != NULL)
        rc = add_unit_frames(s, unit, address, symbol);
    if (rc != 0 || s->frame_count > 0 || symbol == NULL)
        return rc;
    const struct symbol_frame frame = {.line = -1, .offset = (int64_t)(address - symbol->address)};
    return add_frame(s, frame, symbol->name, NULL);
}

int symbolizer_find(struct symbolizer *s, const struct symbol_module *module, uint64_t address,
                    const struct symbol_frame **frames, size_t *count)
{
    struct module_symbols *m;
    s->frame_count = 0;
    arena_reset(&s->texts);
    ++s->now;
    int rc = find_module(s, module, &m);
    if (rc == 0)
        rc = find_frames(s, m, address);
    if (rc == 0)
        keep_limit(s);
    *frames = s->frames;
    *count = rc == 0 ? s->frame_count : 0;
    return rc;
}

/* --- addresses ------------------------------------------------------------------------------------- */

bool symbolizer_address_of_offset(struct symbolizer *s, const struct symbol_module *module, uint64_t offset,
                                  uint64_t *address)
{
    struct module_symbols *m;
    return find_module(s, module, &m) == 0 && m->file != NULL &&
           elf_file_address_of(m->file, offset, address);
}

bool symbolizer_module_base(struct symbolizer *s, const struct symbol_module *module, uint64_t *address)
{
    struct module_symbols *m;
    if (find_module(s, module, &m) != 0 || m->file == NULL)
        return false;
    *address = elf_file_base(m->file);
    return true;
}

bool symbolizer_address_of_function(struct symbolizer *s, const struct symbol_module *module,
                                    const char *function, uint64_t *address)
{
    struct module_symbols *m;
    const struct elf_symbol *symbol =
        find_module(s, module, &m) == 0 ? elf_symbols_find_name(&m->symbols, function) : NULL;
    if (symbol == NULL)
        return false;
    *address = symbol->address;
    return true;
}
