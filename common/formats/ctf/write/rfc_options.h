/* SPDX-License-Identifier: MIT
 * How a trace of version 1.1 of the Common Trace Format is written.
 */
#ifndef RFC_OPTIONS_H
#define RFC_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* Zero-initialise it for the defaults. */
struct ctf_rfc_options {
    uint8_t order;       /* enum ctf_byte_order; CTF_ORDER_DEFAULT: that of the source, or of the machine */
    uint8_t compression; /* enum rfc_compression */
    uint8_t checksum;    /* enum rfc_checksum */
};

/* Set a member by its name: le or be; none, bzip2 or gzip; none, md5, sha1 or crc32. Errors: TRACE_ERR_USAGE.
 */
int ctf_rfc_options_set_order(struct ctf_rfc_options *o, const char *name);
int ctf_rfc_options_set_compression(struct ctf_rfc_options *o, const char *name);
int ctf_rfc_options_set_checksum(struct ctf_rfc_options *o, const char *name);

#endif
