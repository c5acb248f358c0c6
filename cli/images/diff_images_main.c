/* SPDX-License-Identifier: MIT
 * The program that compares pictures, which `trace-cli diff-images` executes: a program of its own, so that
 * trace-cli needs no library for pictures.
 */
#include "base/error.h"
#include "images/image_report.h"
#include "images/picture_names.h"
#include "shell/interrupt.h"
#include "shell/replace_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *join(const char *prefix, const char *name)
{
    size_t n = strlen(prefix), m = strlen(name) + 1;
    char *path = malloc(n + m);
    if (path == NULL)
        trace_error_set(TRACE_ERR_MEMORY, "out of memory for names");
    else
        memcpy(memcpy(path, prefix, n) + n, name, m);
    return path;
}

/* A file that is not there leaves the picture empty. */
static int read_picture(struct image *out, const char *path)
{
    *out = (struct image){0};
    if (access(path, F_OK) != 0)
        return 0;
    int rc = image_read_file(out, path);
    return rc == 0 ? image_to_rgba(out) : rc;
}

static void judge(struct image_pair *pair, const struct diff_images_options *o)
{
    const struct image *a = &pair->pictures[0], *b = &pair->pictures[1];
    pair->result = IMAGE_MISSING;
    if (a->pixels == NULL || b->pixels == NULL)
        return;
    picture_difference_find(&pair->difference, a, b, o->fuzz, o->alpha);
    bool same = !pair->difference.other_size && pair->difference.pixels == 0;
    pair->result = same ? IMAGE_SAME : IMAGE_DIFFERENT;
}

static int compare_pair(struct image_report *report, const char *name)
{
    static const char *const words[] = {"MATCH", "MISMATCH", "MISSING"};
    const struct diff_images_options *o = report->options;
    char *reference = join(o->reference, name), *source = join(o->source, name);
    struct image_pair pair = {.name = name, .paths = {reference, source}};
    int rc = reference == NULL || source == NULL ? TRACE_ERR_MEMORY : 0;
    for (int i = 0; rc == 0 && i < 2; ++i)
        rc = read_picture(&pair.pictures[i], pair.paths[i]);
    if (rc == 0) {
        judge(&pair, o);
        if (o->verbose)
            printf("Comparing %s and %s ... %s\n", reference, source, words[pair.result]);
        rc = image_report_add(report, &pair);
    }
    image_fini(&pair.pictures[0]);
    image_fini(&pair.pictures[1]);
    free(reference);
    free(source);
    return rc;
}

/* *status: whether all are the same. */
static int write_report(const struct diff_images_options *o, const struct picture_names *names, FILE *file,
                        int *status)
{
    struct image_report report;
    int rc = 0;
    image_report_begin(&report, o, file);
    for (size_t i = 0; rc == 0 && i < names->count; ++i)
        rc = compare_pair(&report, names->names[i]);
    image_report_end(&report);
    *status = report.counts[IMAGE_SAME] == names->count ? DIFF_IMAGES_SAME : DIFF_IMAGES_DIFFERENT;
    if (rc == 0 && (fflush(file) != 0 || ferror(file)))
        rc = trace_error_set_errno(TRACE_ERR_IO, errno, "%s", o->output);
    return rc;
}

static int write_report_file(const struct diff_images_options *o, const struct picture_names *names,
                             int *status)
{
    struct new_file target;
    int rc = replace_file_open(&target, o->output);
    if (rc != 0)
        return rc;
    FILE *file = fdopen(dup(target.fd), "w");
    rc = file != NULL ? write_report(o, names, file, status)
                      : trace_error_set_errno(TRACE_ERR_IO, errno, "%s", o->output);
    if (file != NULL && fclose(file) != 0 && rc == 0)
        rc = trace_error_set_errno(TRACE_ERR_IO, errno, "%s", o->output);
    if (rc == 0)
        return new_file_commit(&target);
    new_file_abandon(&target);
    return rc;
}

static int find_names(struct picture_names *names, const struct diff_images_options *o)
{
    int rc = picture_names_find(names, o->reference);
    if (rc == 0)
        rc = picture_names_find(names, o->source);
    if (rc == 0 && names->count == 0)
        rc = trace_error_set(TRACE_ERR_USAGE, "there are no pictures whose names begin with %s or %s",
                             o->reference, o->source);
    picture_names_sort(names);
    return rc;
}

int main(int argc, char **argv)
{
    struct diff_images_options options;
    struct picture_names names = {0};
    int status = DIFF_IMAGES_ERROR;
    enum cli_parse_result result = diff_images_parse(argc, argv, &options);
    if (result != CLI_PARSE_OK)
        return result == CLI_PARSE_HELP ? 0 : DIFF_IMAGES_ERROR;
    interrupt_guard_files();
    int rc = find_names(&names, &options);
    if (rc == 0 && strcmp(options.output, "-") == 0) {
        options.verbose = false; /* the report is on the standard output */
        rc = write_report(&options, &names, stdout, &status);
    } else if (rc == 0) {
        rc = write_report_file(&options, &names, &status);
    }
    picture_names_fini(&names);
    if (fflush(stdout) != 0 && rc == 0)
        rc = trace_error_set_errno(TRACE_ERR_IO, errno, "stdout");
    if (rc != 0) {
        cli_print_error();
        return DIFF_IMAGES_ERROR;
    }
    return status;
}
