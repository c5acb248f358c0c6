/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf_sections.h"

#include <string.h>

static const char *const names[] = {
    ".debug_info",
    ".debug_abbrev",
    ".debug_line",
    ".debug_line_str",
    ".debug_str",
    ".debug_str_offsets",
    ".debug_addr",
    ".debug_ranges",
    ".debug_rnglists",
    ".debug_info.dwo",
    ".debug_abbrev.dwo",
    ".debug_str.dwo",
    ".debug_str_offsets.dwo",
    ".debug_rnglists.dwo",
};

/* Returns true if the section has this name, or GNU's name for a compressed section of this name. */
static bool has_name(const struct elf_section *section, const char *name)
{
    return strcmp(section->name, name) == 0 ||
           (strncmp(section->name, ".zdebug_", 8) == 0 && strcmp(section->name + 8, name + 7) == 0);
}

int dwarf_sections_init(struct dwarf_sections *s, struct elf_file *file)
{
    *s = (struct dwarf_sections){.file = file};
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

/* Returns NULL if there is no section with this name, or if it is empty. */
static const struct elf_section *find_section(const struct dwarf_sections *s, const char *name)
{
    for (size_t i = 0; i < s->count; ++i) {
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
        .line = find_section(s, ".debug_line"),
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
