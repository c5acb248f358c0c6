/* SPDX-License-Identifier: MIT */
#include "formats/ctf/write/rfc_options.h"

#include "base/error.h"
#include "formats/ctf/metadata/rfc_headers.h"

static int set(uint8_t *out, const char *name, const char *const *names, uint8_t first, const char *all)
{
    for (uint8_t i = 0; names[i] != NULL; ++i)
        if (strcmp(names[i], name) == 0) {
            *out = (uint8_t)(first + i);
            return 0;
        }
    return trace_error_set(TRACE_ERR_USAGE, "\"%s\" is not one of %s", name, all);
}

int ctf_rfc_options_set_order(struct ctf_rfc_options *o, const char *name)
{
    static const char *const names[] = {"le", "be", NULL}; /* as enum ctf_byte_order */
    return set(&o->order, name, names, CTF_LITTLE_ENDIAN, "le and be");
}

int ctf_rfc_options_set_compression(struct ctf_rfc_options *o, const char *name)
{
    static const char *const names[] = {"none", "bzip2", "gzip", NULL}; /* as enum rfc_compression */
    return set(&o->compression, name, names, RFC_NOT_COMPRESSED, "none, bzip2 and gzip");
}

int ctf_rfc_options_set_checksum(struct ctf_rfc_options *o, const char *name)
{
    static const char *const names[] = {"none", "md5", "sha1", "crc32", NULL}; /* as enum rfc_checksum */
    return set(&o->checksum, name, names, RFC_NO_CHECKSUM, "none, md5, sha1 and crc32");
}
