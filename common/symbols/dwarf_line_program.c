/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf_line_program.h"

#include <libdwarf/dwarf.h>

#define FORMATS_MAX 255

/* --- the head -------------------------------------------------------------------------------------- */

/* Reads what follows the length of the head. */
static void read_fields(struct dwarf_line_head *h, struct section_bytes *r)
{
    h->instruction_size = (uint8_t)section_bytes_number(r, 1);
    h->operations = h->sizes.version >= 4 ? (uint8_t)section_bytes_number(r, 1) : 1;
    section_bytes_skip(r, 1); /* whether a row begins a statement */
    h->line_base = (int8_t)section_bytes_number(r, 1);
    h->line_range = (uint8_t)section_bytes_number(r, 1);
    h->opcode_base = (uint8_t)section_bytes_number(r, 1);
    for (unsigned i = 1; i < h->opcode_base; ++i)
        h->operands[i] = (uint8_t)section_bytes_number(r, 1);
}

bool dwarf_line_head_read(struct dwarf_line_head *out, const struct dwarf_data *data, uint64_t offset)
{
    struct section_bytes r = section_bytes_at(data->line, data->little_endian, offset);
    *out = (struct dwarf_line_head){.sizes.offset = 4};
    uint64_t length = section_bytes_number(&r, 4);
    if (length == UINT32_MAX) {
        out->sizes.offset = 8;
        length = section_bytes_number(&r, 8);
    }
    if (r.failed || length > r.size - r.at)
        return false;
    out->end = r.size = r.at + length;
    out->sizes.version = (uint16_t)section_bytes_number(&r, 2);
    if (out->sizes.version >= 5) {
        out->sizes.address = (uint8_t)section_bytes_number(&r, 1);
        section_bytes_skip(&r, 1); /* size of a segment selector */
    }
    uint64_t head_length = section_bytes_number(&r, out->sizes.offset);
    if (r.failed || out->sizes.version < 2 || out->sizes.version > 5 || head_length > r.size - r.at)
        return false;
    out->program = r.size = r.at + head_length;
    read_fields(out, &r);
    out->tables = r;
    return !r.failed && out->line_range != 0 && out->operations != 0 && out->opcode_base != 0;
}

/* --- directories and files before version 5 -------------------------------------------------------- */

static int add_file(struct section_bytes *r, const char *name, const struct dwarf_line_sink *sink)
{
    uint64_t directory = section_bytes_unsigned(r);
    section_bytes_unsigned(r); /* time of modification */
    section_bytes_unsigned(r); /* size */
    return r->failed ? 0 : sink->add_file(sink->context, name, directory);
}

static int read_old_files(struct section_bytes r, const struct dwarf_line_sink *sink)
{
    const char *text;
    int rc = 0;
    while (rc == 0 && (text = section_bytes_text(&r)) != NULL && text[0] != '\0')
        rc = sink->add_directory(sink->context, text);
    while (rc == 0 && (text = section_bytes_text(&r)) != NULL && text[0] != '\0')
        rc = add_file(&r, text, sink);
    return rc;
}

/* --- directories and files of version 5 ------------------------------------------------------------ */

struct entry_format {
    unsigned count;
    struct {
        uint64_t content; /* DW_LNCT_… */
        uint16_t form;
    } fields[FORMATS_MAX];
};

static void read_format(struct entry_format *out, struct section_bytes *r)
{
    out->count = (unsigned)section_bytes_number(r, 1);
    for (unsigned i = 0; i < out->count; ++i) {
        out->fields[i].content = section_bytes_unsigned(r);
        uint64_t form = section_bytes_unsigned(r);
        out->fields[i].form = form <= UINT16_MAX ? (uint16_t)form : 0;
    }
}

struct entry_reader {
    const struct dwarf_line_head *head;
    const struct dwarf_data *data;
    const struct dwarf_head *unit;
    struct section_bytes bytes;
    struct entry_format format;
};

/* Returns the entry's path, or NULL if it has none. */
static const char *read_entry(struct entry_reader *e, uint64_t *directory)
{
    const char *path = NULL;
    *directory = 0;
    for (unsigned i = 0; i < e->format.count && !e->bytes.failed; ++i) {
        struct dwarf_value value = {.form = e->format.fields[i].form};
        uint64_t from = e->bytes.at;
        value.number = dwarf_form_read(&e->bytes, value.form, &e->head->sizes);
        if (e->bytes.failed)
            return NULL;
        if (e->format.fields[i].content == DW_LNCT_directory_index)
            dwarf_value_number(&value, directory);
        else if (e->format.fields[i].content == DW_LNCT_path)
            path = value.form == DW_FORM_string ? (const char *)e->bytes.data + from
                                                : dwarf_value_text(&value, e->data, e->unit);
    }
    return path;
}

/* Reads a table of directories, or of files. */
static int read_entries(struct entry_reader *e, const struct dwarf_line_sink *sink, bool files)
{
    int rc = 0;
    read_format(&e->format, &e->bytes);
    uint64_t count = section_bytes_unsigned(&e->bytes);
    for (uint64_t i = 0; i < count && rc == 0 && !e->bytes.failed; ++i) {
        uint64_t directory, from = e->bytes.at;
        const char *path = read_entry(e, &directory);
        e->bytes.failed |= e->bytes.at == from; /* there could be any number of them */
        if (e->bytes.failed)
            break;
        path = path != NULL ? path : "";
        rc =
            files ? sink->add_file(sink->context, path, directory) : sink->add_directory(sink->context, path);
    }
    return rc;
}

int dwarf_line_files_read(const struct dwarf_line_head *head, const struct dwarf_data *data,
                          const struct dwarf_head *unit, const struct dwarf_line_sink *sink)
{
    if (head->sizes.version < 5)
        return read_old_files(head->tables, sink);
    struct entry_reader e = {.head = head, .data = data, .unit = unit, .bytes = head->tables};
    int rc = read_entries(&e, sink, false);
    return rc == 0 ? read_entries(&e, sink, true) : rc;
}

/* --- the program ----------------------------------------------------------------------------------- */

struct line_machine {
    const struct dwarf_line_head *head;
    const struct dwarf_line_sink *sink;
    struct section_bytes bytes;
    uint64_t address, operation, file, line;
};

static void reset(struct line_machine *m)
{
    m->address = m->operation = 0;
    m->file = m->line = 1;
}

static void advance(struct line_machine *m, uint64_t operations)
{
    uint64_t sum = m->operation + operations;
    m->address += m->head->instruction_size * (sum / m->head->operations);
    m->operation = sum % m->head->operations;
}

static int add_row(struct line_machine *m)
{
    return m->sink->add_row(m->sink->context, m->address, m->file, m->line);
}

static int run_extended(struct line_machine *m)
{
    uint64_t size = section_bytes_unsigned(&m->bytes), next = m->bytes.at + size;
    if (m->bytes.failed || size == 0 || size > m->bytes.size - m->bytes.at) {
        m->bytes.failed = true;
        return 0;
    }
    uint64_t code = section_bytes_number(&m->bytes, 1);
    int rc = 0;
    if (code == DW_LNE_end_sequence) {
        rc = m->sink->end_sequence(m->sink->context, m->address);
        reset(m);
    } else if (code == DW_LNE_set_address) {
        m->address = section_bytes_number(&m->bytes, size - 1 <= 8 ? (unsigned)(size - 1) : 0);
        m->operation = 0;
    } else if (code == DW_LNE_define_file) {
        const char *name = section_bytes_text(&m->bytes);
        rc = name != NULL ? add_file(&m->bytes, name, m->sink) : 0;
    }
    m->bytes.at = next;
    return rc;
}

static int run_standard(struct line_machine *m, uint8_t code)
{
    switch (code) {
    case DW_LNS_copy:
        return add_row(m);
    case DW_LNS_advance_pc:
        advance(m, section_bytes_unsigned(&m->bytes));
        return 0;
    case DW_LNS_advance_line:
        m->line = (uint32_t)(m->line + (uint64_t)section_bytes_signed(&m->bytes));
        return 0;
    case DW_LNS_set_file:
        m->file = section_bytes_unsigned(&m->bytes);
        return 0;
    case DW_LNS_const_add_pc:
        advance(m, (255u - m->head->opcode_base) / m->head->line_range);
        return 0;
    case DW_LNS_fixed_advance_pc:
        m->address += section_bytes_number(&m->bytes, 2);
        m->operation = 0;
        return 0;
    default: /* says nothing about addresses, files and lines */
        for (unsigned i = 0; i < m->head->operands[code]; ++i)
            section_bytes_unsigned(&m->bytes);
        return 0;
    }
}

static int run_special(struct line_machine *m, uint8_t code)
{
    unsigned adjusted = code - m->head->opcode_base;
    advance(m, adjusted / m->head->line_range);
    m->line = (uint32_t)(m->line + (uint64_t)(int64_t)m->head->line_base + adjusted % m->head->line_range);
    return add_row(m);
}

int dwarf_line_program_run(const struct dwarf_line_head *head, const struct dwarf_data *data,
                           const struct dwarf_line_sink *sink)
{
    struct line_machine m = {.head = head,
                             .sink = sink,
                             .bytes = section_bytes_at(data->line, data->little_endian, head->program)};
    int rc = 0;
    m.bytes.size = head->end;
    reset(&m);
    while (rc == 0 && !m.bytes.failed && m.bytes.at < m.bytes.size) {
        uint8_t code = (uint8_t)section_bytes_number(&m.bytes, 1);
        if (code >= head->opcode_base)
            rc = run_special(&m, code);
        else
            rc = code == 0 ? run_extended(&m) : run_standard(&m, code);
    }
    return rc;
}
