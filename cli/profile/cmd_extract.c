/* SPDX-License-Identifier: MIT
 * trace-cli extract: the instrumentation map of a program, as `llvm-xray extract` prints it.
 */
#include "shell/command.h"

#include "base/buf.h"
#include "base/error.h"
#include "formats/xray/yaml_scalar.h"
#include "input/map_names.h"
#include "shell/write_output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FLUSH_BYTES ((size_t)1 << 16)

struct extract_options {
    bool symbolize;
    bool mangled;
};

/* NULL: a kind that is not known. */
static const char *kind_name(uint8_t kind)
{
    static const char *const names[] = {"function-enter", "function-exit", "tail-exit",
                                        "log-args-enter", "custom-event",  "typed-event"};
    return kind < sizeof names / sizeof *names ? names[kind] : NULL;
}

static int put_sled(struct buf *out, const struct xray_sled *sled, const char *name)
{
    const char *kind = kind_name(sled->kind);
    int rc = buf_printf(out, "- { id: %" PRIu32 ", address: 0x%" PRIX64 ", function: 0x%" PRIX64 ", kind: ",
                        sled->number, sled->address, sled->function);
    rc |= kind != NULL ? buf_append_string(out, kind) : buf_printf(out, "%u", sled->kind);
    rc |= buf_printf(out, ", always-instrument: %s, function-name: ", sled->always ? "true" : "false");
    rc |= yaml_scalar_append(out, name, strlen(name));
    if (sled->version != 0)
        rc |= buf_printf(out, ", version: %u", sled->version);
    rc |= buf_append_string(out, " }\n");
    return rc == 0 ? 0 : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

/* A function has several sleds, which follow each other: its name is looked up once. */
static int put_sleds(struct buf *out, struct map_names *names, bool symbolize)
{
    char *name = NULL, *place = NULL;
    uint32_t named = 0;
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < names->objects[0].map.sled_count; ++i) {
        const struct xray_sled *sled = &names->objects[0].map.sleds[i];
        if (symbolize && sled->number != named) {
            const struct trace_function_sig sig = {.name = "", .number = sled->number};
            free(name);
            free(place);
            rc = map_names_find(names, &sig, &name, &place);
            named = sled->number;
        }
        if (rc == 0)
            rc = put_sled(out, sled, name != NULL ? name : "");
        if (rc == 0 && out->len >= FLUSH_BYTES)
            rc = write_output(out);
    }
    free(name);
    free(place);
    return rc;
}

static int extract(const struct extract_options *o, const char *path)
{
    struct map_names names;
    struct buf out = BUF_INIT;
    int rc = map_names_init_program(&names, path, o->mangled);
    if (rc != 0)
        return cli_print_error();
    rc = buf_append_string(&out, "---\n");
    if (rc == 0)
        rc = put_sleds(&out, &names, o->symbolize);
    if (rc == 0)
        rc = buf_append_string(&out, "...\n");
    if (rc == 0)
        rc = write_output(&out);
    buf_fini(&out);
    map_names_fini(&names);
    return rc == 0 ? 0 : cli_print_error();
}

static int run_extract(const struct cli_command *self, int argc, char **argv)
{
    struct extract_options options = {.symbolize = false};
    struct cli_operands operands;
    enum cli_parse_result result = cli_parse_options(self, argc, argv, &options, &operands);
    if (result != CLI_PARSE_OK)
        return result == CLI_PARSE_HELP ? 0 : 1;
    if (operands.count != 1)
        return cli_usage_error(self, "extract needs one program");
    return extract(&options, operands.values[0]);
}

static const struct cli_option extract_options[] = {
    {CLI_OPTION_FLAG, 's', "symbolize", NULL, NULL, offsetof(struct extract_options, symbolize),
     "show the names of functions", NULL},
    NO_DEMANGLE_OPTION(offsetof(struct extract_options, mangled)),
    {.kind = CLI_OPTION_END},
};

const struct cli_command cli_cmd_extract = {
    .name = "extract",
    .group = CLI_GROUP_LOOK,
    .summary = "Show where XRay has instrumented a program",
    .operands = "[OPTION...] FILE",
    .details =
        "Prints the instrumentation map of a program or library that was built with -fxray-instrument, as\n"
        "YAML, with the bytes of \"llvm-xray extract\": a line for each place, with the number that logs\n"
        "have for its function.",
    .examples = "trace-cli extract --symbolize ./app\n",
    .options = extract_options,
    .run = run_extract,
};
