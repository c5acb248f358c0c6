/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/container/codecs.h"

#include "base/error.h"

#define DECLARE(id, codec, ...) extern const struct trace_codec trace_codec_##codec;
TRACE_CONTAINERS(DECLARE)

/* Indexed by enum trace_container. */
#define CODEC(id, codec, ...) &trace_codec_##codec,
static const struct trace_codec *const codecs[] = {TRACE_CONTAINERS(CODEC)};

static const struct trace_codec *const only_read[] = {&trace_codec_zstd};

static const struct {
    const char *what;
    int lowest;
    int highest;
    int usual;
} levels[] = {
#define LEVELS(id, codec, letter, option, what, lowest, highest, usual, help) {what, lowest, highest, usual},
    TRACE_CONTAINERS(LEVELS)};

const struct trace_codec *trace_codec_of(enum trace_container container)
{
    return (unsigned)container < TRACE_CONTAINER_KINDS ? codecs[container] : NULL;
}

int trace_codec_check_level(enum trace_container container, int *level)
{
    if (levels[container].highest == 0)
        return 0;
    if (*level == TRACE_LEVEL_DEFAULT)
        *level = levels[container].usual;
    if (*level >= levels[container].lowest && *level <= levels[container].highest)
        return 0;
    return trace_error_set(TRACE_ERR_USAGE, "%s has no %s %d, only %d to %d", codecs[container]->name,
                           levels[container].what, *level, levels[container].lowest,
                           levels[container].highest);
}

/* The best bid so far. */
struct auction {
    const struct trace_codec *codec;
    enum trace_codec_bid bid;
};

static void let_bid(struct auction *a, const struct trace_codec *codec, struct trace_file *f,
                    const uint8_t *head, size_t count)
{
    enum trace_codec_bid bid = codec->bid(f, head, count);
    if (bid > a->bid)
        *a = (struct auction){codec, bid};
}

const struct trace_codec *trace_codec_find(struct trace_file *f, const uint8_t *head, size_t count,
                                           enum trace_codec_bid *bid)
{
    struct auction a = {NULL, TRACE_CODEC_BID_NONE};
    for (size_t i = 0; i < sizeof codecs / sizeof codecs[0]; ++i)
        let_bid(&a, codecs[i], f, head, count);
    for (size_t i = 0; i < sizeof only_read / sizeof only_read[0]; ++i)
        let_bid(&a, only_read[i], f, head, count);
    *bid = a.bid;
    return a.codec;
}
