/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf_sections.h"

#include <elf.h>
#include <string.h>

/* libdwarf does not need other sections, and could fail on them. */
static const char *const names[] = {
    ".debug_info",         ".debug_abbrev",   ".debug_line",
    ".debug_line_str",     ".debug_str",      ".debug_str_offsets",
    ".debug_addr",         ".debug_ranges",   ".debug_rnglists",
    ".debug_types",        ".debug_info.dwo", ".debug_abbrev.dwo",
    ".debug_line.dwo",     ".debug_str.dwo",  ".debug_str_offsets.dwo",
    ".debug_rnglists.dwo", ".debug_cu_index", ".debug_tu_index",
};

/* libdwarf's names for the sections that it is given. */
static const char *canonical_name(const char *name)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (strcmp(names[i], name) == 0 ||
            (strncmp(name, ".zdebug_", 8) == 0 && strcmp(names[i] + 7, name + 8) == 0))
            return names[i];
    return "";
}

static int get_section_info(void *object, Dwarf_Half index, Dwarf_Obj_Access_Section *out, int *error)
{
    const struct dwarf_sections *s = object;
    (void)error;
    if (index >= s->count)
        return DW_DLV_NO_ENTRY;
    const struct elf_section *section = &s->file->sections[s->indexes[index]];
    *out = (Dwarf_Obj_Access_Section){
        .addr = 0,
        .type = index == 0 ? SHT_NULL : SHT_PROGBITS,
        .size = index == 0 ? 0 : section->size,
        .name = index == 0 ? "" : canonical_name(section->name),
    };
    return DW_DLV_OK;
}

static Dwarf_Endianness get_byte_order(void *object)
{
    const struct dwarf_sections *s = object;
    return s->file->little_endian ? DW_OBJECT_LSB : DW_OBJECT_MSB;
}

static Dwarf_Small get_size(void *object)
{
    const struct dwarf_sections *s = object;
    return s->file->pointer_size;
}

static Dwarf_Unsigned get_section_count(void *object)
{
    const struct dwarf_sections *s = object;
    return s->count;
}

static int load_section(void *object, Dwarf_Half index, Dwarf_Small **out, int *error)
{
    const struct dwarf_sections *s = object;
    (void)error;
    if (index == 0 || index >= s->count)
        return DW_DLV_NO_ENTRY;
    /* libdwarf only writes to sections that it relocates or decompresses. */
    *out = (Dwarf_Small *)(uintptr_t)s->file->sections[s->indexes[index]].data;
    return DW_DLV_OK;
}

static const Dwarf_Obj_Access_Methods methods = {
    .get_section_info = get_section_info,
    .get_byte_order = get_byte_order,
    .get_length_size = get_size,
    .get_pointer_size = get_size,
    .get_section_count = get_section_count,
    .load_section = load_section,
};

int dwarf_sections_init(struct dwarf_sections *s, struct elf_file *file)
{
    *s = (struct dwarf_sections){.file = file, .count = 1};
    s->access = (Dwarf_Obj_Access_Interface){.object = s, .methods = &methods};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        size_t index = elf_file_find_section(file, names[i]);
        int rc = elf_file_load(file, index);
        if (rc != 0)
            return rc;
        if (index != 0 && file->sections[index].data != NULL)
            s->indexes[s->count++] = index;
    }
    return 0;
}

const struct elf_section *dwarf_sections_find(const struct dwarf_sections *s, const char *name)
{
    for (size_t i = 1; i < s->count; ++i) {
        const struct elf_section *section = &s->file->sections[s->indexes[i]];
        if (strcmp(canonical_name(section->name), name) == 0)
            return section;
    }
    return NULL;
}
