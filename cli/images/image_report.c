/* SPDX-License-Identifier: MIT */
#include "images/image_report.h"

#include "base/error.h"
#include "images/page_picture.h"
#include "images/page_text.h"

#include <inttypes.h>
#include <string.h>

extern const char image_report_style[], image_report_script[];

/* Beyond this, browsers take long to open a page: pictures are small, and linked. */
static const uint64_t most_embedded = UINT64_C(200) << 20;
enum { THUMBNAIL = 320 /* pixels */ };

void image_report_begin(struct image_report *r, const struct diff_images_options *options, FILE *file)
{
    *r = (struct image_report){.options = options, .file = file};
    fprintf(file, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    page_text(file, options->reference);
    fprintf(file, " and ");
    page_text(file, options->source);
    fprintf(
        file,
        "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n<table>\n<thead><tr><th>Picture</th><th>",
        image_report_style);
    page_text(file, options->reference);
    fprintf(file, "</th><th>");
    page_text(file, options->source);
    fprintf(file, "</th><th>Difference</th></tr></thead>\n<tbody>\n");
}

/* The summary is the last part of the page, and shown first. */
void image_report_end(struct image_report *r)
{
    uint64_t bad = r->counts[IMAGE_DIFFERENT] + r->counts[IMAGE_MISSING];
    uint64_t all = bad + r->counts[IMAGE_SAME];
    fprintf(r->file, "</tbody>\n</table>\n</main>\n<header class=\"%s\">\n<h1>", bad > 0 ? "bad" : "good");
    if (bad == 0)
        fprintf(r->file, "No difference in %" PRIu64 " picture%s", all, all == 1 ? "" : "s");
    else
        fprintf(r->file, "%" PRIu64 " of %" PRIu64 " pictures %s", bad, all, bad == 1 ? "differs" : "differ");
    fprintf(r->file, "</h1>\n<p>");
    if (r->counts[IMAGE_MISSING] > 0)
        fprintf(r->file, "Missing on one side: %" PRIu64 ". ", r->counts[IMAGE_MISSING]);
    fprintf(r->file,
            "A pixel differs if a channel%s differs by more than %g&thinsp;%% of its range. "
            "<label><input type=\"checkbox\" id=\"hide\"> Hide what is the same</label></p>\n</header>\n"
            "<script>\n%s</script>\n</body>\n</html>\n",
            r->options->alpha ? ", alpha included," : "", 100 * r->options->fuzz, image_report_script);
}

static void write_figures(struct image_report *r, const struct image_pair *pair)
{
    const struct picture_difference *d = &pair->difference;
    const struct image *a = &pair->pictures[0], *b = &pair->pictures[1];
    if (pair->result == IMAGE_MISSING)
        return;
    if (d->other_size) {
        fprintf(r->file, "<br>%u × %u and %u × %u pixels", a->width, a->height, b->width, b->height);
        return;
    }
    fprintf(r->file, "<br>%u × %u pixels", a->width, a->height);
    if (d->max > 0)
        fprintf(r->file,
                "<br>%" PRIu64 " pixels differ (%.3g&thinsp;%%)<br>largest difference %u, mean %.3g of 255",
                d->pixels, 100.0 * (double)d->pixels / ((double)a->width * a->height), d->max, d->mean);
}

/* path: the file that the picture is in; NULL: none. */
static int write_picture(struct image_report *r, const struct image *im, const char *path, const char *what)
{
    fprintf(r->file, "<td class=\"picture\">");
    int rc = 0;
    if (im->pixels == NULL) {
        fprintf(r->file, "missing");
    } else {
        fprintf(r->file, "<img alt=\"%s\" ", what);
        if (r->embedded < most_embedded) {
            rc = page_picture_embed(r->file, im, path, &r->embedded);
        } else {
            struct image small = {0};
            rc = image_shrink(&small, im, THUMBNAIL);
            if (rc == 0 && path != NULL)
                page_picture_link(r->file, path);
            if (rc == 0)
                rc = page_picture_embed(r->file, &small, NULL, &r->embedded);
            image_fini(&small);
        }
        fprintf(r->file, ">");
    }
    fprintf(r->file, "</td>");
    return rc;
}

static int write_difference(struct image_report *r, const struct image_pair *pair)
{
    const struct diff_images_options *o = r->options;
    struct image picture = {0};
    if (pair->result == IMAGE_MISSING || pair->difference.other_size) {
        fprintf(r->file, "<td></td>");
        return 0;
    }
    int rc = picture_difference_draw(&picture, &pair->pictures[0], &pair->pictures[1], o->fuzz, o->alpha);
    if (rc == 0)
        rc = write_picture(r, &picture, NULL, "difference");
    image_fini(&picture);
    return rc;
}

int image_report_add(struct image_report *r, const struct image_pair *pair)
{
    static const char *const classes[] = {"same", "different", "missing"};
    static const char *const words[] = {"the same", "different", "missing"};
    r->counts[pair->result]++;
    fprintf(r->file, "<tr class=\"%s\"><td><b>", classes[pair->result]);
    page_text(r->file, pair->name);
    fprintf(r->file, "</b><br><span>%s</span>", words[pair->result]);
    write_figures(r, pair);
    fprintf(r->file, "</td>");
    int rc = 0;
    if (pair->result != IMAGE_SAME || r->options->show_all) {
        rc = write_picture(r, &pair->pictures[0], pair->paths[0], "reference");
        if (rc == 0)
            rc = write_picture(r, &pair->pictures[1], pair->paths[1], "compared");
        if (rc == 0)
            rc = write_difference(r, pair);
    } else {
        fprintf(r->file, "<td></td><td></td><td></td>");
    }
    fprintf(r->file, "</tr>\n");
    return rc;
}
