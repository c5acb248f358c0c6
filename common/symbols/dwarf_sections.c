/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf_sections.h"

#include <elf.h>
#include <string.h>

/* The sections that libdwarf sees. It does not need the others, and could only fail on them. */
static const char *const shown_names[] = {
    ".debug_info", ".debug_abbrev",      ".debug_line", ".debug_line_str",
    ".debug_str",  ".debug_str_offsets", ".debug_addr",
};

/* The sections that only we read: libdwarf 20210528 frees memory twice if the header of a list is damaged. */
static const char *const own_names[] = {
    ".debug_ranges",  ".debug_rnglists",        ".debug_info.dwo",     ".debug_abbrev.dwo",
    ".debug_str.dwo", ".debug_str_offsets.dwo", ".debug_rnglists.dwo",
};

/* Returns true if the section has this name, or GNU's name for a compressed section of this name. */
static bool has_name(const struct elf_section *section, const char *name)
{
    return strcmp(section->name, name) == 0 ||
           (strncmp(section->name, ".zdebug_", 8) == 0 && strcmp(section->name + 8, name + 7) == 0);
}

static const char *usual_name(const struct elf_section *section)
{
    for (size_t i = 0; i < sizeof shown_names / sizeof *shown_names; ++i)
        if (has_name(section, shown_names[i]))
            return shown_names[i];
    return "";
}

static int get_section_info(void *object, Dwarf_Half index, Dwarf_Obj_Access_Section *out, int *error)
{
    const struct dwarf_sections *s = object;
    (void)error;
    if (index >= s->shown)
        return DW_DLV_NO_ENTRY;
    const struct elf_section *section = &s->file->sections[s->indexes[index]];
    *out = (Dwarf_Obj_Access_Section){
        .addr = 0,
        .type = index == 0 ? SHT_NULL : SHT_PROGBITS,
        .size = index == 0 ? 0 : section->size,
        .name = index == 0 ? "" : usual_name(section),
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
    return s->shown;
}

static int load_section(void *object, Dwarf_Half index, Dwarf_Small **out, int *error)
{
    const struct dwarf_sections *s = object;
    (void)error;
    if (index == 0 || index >= s->shown)
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

static int add_sections(struct dwarf_sections *s, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        size_t index = elf_file_find_section(s->file, names[i]);
        int rc = elf_file_load(s->file, index);
        if (rc != 0)
            return rc;
        if (index != 0 && s->file->sections[index].data != NULL)
            s->indexes[s->count++] = index;
    }
    return 0;
}

int dwarf_sections_init(struct dwarf_sections *s, struct elf_file *file)
{
    *s = (struct dwarf_sections){.file = file, .count = 1};
    s->access = (Dwarf_Obj_Access_Interface){.object = s, .methods = &methods};
    int rc = add_sections(s, shown_names, sizeof shown_names / sizeof *shown_names);
    s->shown = s->count;
    return rc == 0 ? add_sections(s, own_names, sizeof own_names / sizeof *own_names) : rc;
}

/* Returns NULL if there is no section with this name, or if it is empty. */
static const struct elf_section *find_section(const struct dwarf_sections *s, const char *name)
{
    for (size_t i = 1; i < s->count; ++i) {
        const struct elf_section *section = &s->file->sections[s->indexes[i]];
        if (has_name(section, name))
            return section;
    }
    return NULL;
}

void dwarf_sections_data(const struct dwarf_sections *s, struct dwarf_data *out)
{
    *out = (struct dwarf_data){
        .little_endian = s->file->little_endian,
        .info = find_section(s, ".debug_info"),
        .abbrev = find_section(s, ".debug_abbrev"),
        .str = find_section(s, ".debug_str"),
        .line_str = find_section(s, ".debug_line_str"),
        .str_offsets = find_section(s, ".debug_str_offsets"),
        .addr = find_section(s, ".debug_addr"),
        .ranges = find_section(s, ".debug_ranges"),
        .rnglists = find_section(s, ".debug_rnglists"),
    };
}

void dwarf_sections_split_data(const struct dwarf_sections *s, const struct dwarf_data *skeleton,
                               struct dwarf_data *out)
{
    *out = *skeleton;
    out->info = find_section(s, ".debug_info.dwo");
    out->abbrev = find_section(s, ".debug_abbrev.dwo");
    out->str = find_section(s, ".debug_str.dwo");
    out->line_str = NULL;
    out->str_offsets = find_section(s, ".debug_str_offsets.dwo");
    out->rnglists = find_section(s, ".debug_rnglists.dwo");
}
