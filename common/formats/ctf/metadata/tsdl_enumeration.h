/* SPDX-License-Identifier: MIT
 * The labels of an enumeration in TSDL.
 */
#ifndef TSDL_ENUMERATION_H
#define TSDL_ENUMERATION_H

#include "formats/ctf/metadata/tsdl_parser.h"

/* Parses the labels in braces, and makes an enumeration of the integer that contains its values. Errors:
 * TRACE_ERR_FORMAT, TRACE_ERR_MEMORY. */
int tsdl_parse_labels(struct tsdl_parser *p, const struct ctf_class *container, const struct ctf_class **out);

#endif
