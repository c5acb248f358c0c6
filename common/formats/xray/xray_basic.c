/* SPDX-License-Identifier: MIT */
#include "formats/xray/xray_basic.h"

/* No thread or process has the number 0: it stands for none. */
static int64_t id_of(uint32_t number)
{
    return number != 0 ? (int64_t)number : -1;
}

void xray_basic_decode(const struct xray_header *h, const uint8_t *bytes, struct xray_basic_record *out)
{
    uint16_t kind = xray_u16(h, bytes);
    *out = (struct xray_basic_record){.kind = XRAY_BASIC_NOTHING, .cpu = -1};
    out->function = xray_u32(h, bytes + 4);
    if (kind == XRAY_BASIC_FUNCTION && bytes[3] < XRAY_ACTIONS) {
        out->kind = XRAY_BASIC_FUNCTION;
        out->action = (enum xray_action)bytes[3];
        out->cpu = bytes[2];
        out->ticks = xray_u64(h, bytes + 8);
        out->thread = id_of(xray_u32(h, bytes + 16));
        out->process = id_of(xray_u32(h, bytes + 20));
    } else if (kind == XRAY_BASIC_ARGUMENT) {
        out->kind = XRAY_BASIC_ARGUMENT;
        out->thread = id_of(xray_u32(h, bytes + 8));
        out->process = id_of(xray_u32(h, bytes + 12));
        out->ticks = xray_u64(h, bytes + 16);
    }
    if (h->version < 3)
        out->process = -1;
}
