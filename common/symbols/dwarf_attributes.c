/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf_attributes.h"

#include <stddef.h>

bool dwarf_succeeded(Dwarf_Debug debug, int result, Dwarf_Error error)
{
    if (result == DW_DLV_ERROR && error != NULL)
        dwarf_dealloc(debug, error, DW_DLA_ERROR);
    return result == DW_DLV_OK;
}

static bool find_attribute(Dwarf_Debug debug, Dwarf_Die die, Dwarf_Half attribute, Dwarf_Attribute *out)
{
    Dwarf_Error error = NULL;
    int result = dwarf_attr(die, attribute, out, &error);
    return dwarf_succeeded(debug, result, error);
}

bool dwarf_get_number(Dwarf_Debug debug, Dwarf_Die die, Dwarf_Half attribute, uint64_t *out)
{
    Dwarf_Attribute found;
    Dwarf_Unsigned number = 0;
    Dwarf_Error error = NULL;
    if (!find_attribute(debug, die, attribute, &found))
        return false;
    bool known = dwarf_succeeded(debug, dwarf_formudata(found, &number, &error), error);
    if (!known) { /* a form for signed numbers */
        Dwarf_Signed negative = 0;
        error = NULL;
        known = dwarf_succeeded(debug, dwarf_formsdata(found, &negative, &error), error) && negative >= 0;
        number = (Dwarf_Unsigned)negative;
    }
    dwarf_dealloc(debug, found, DW_DLA_ATTR);
    *out = number;
    return known;
}

bool dwarf_get_offset(Dwarf_Debug debug, Dwarf_Die die, Dwarf_Half attribute, uint64_t *out, Dwarf_Half *form)
{
    Dwarf_Attribute found;
    Dwarf_Error error = NULL;
    if (!find_attribute(debug, die, attribute, &found))
        return false;
    bool known = dwarf_succeeded(debug, dwarf_whatform(found, form, &error), error);
    if (known) {
        Dwarf_Unsigned number = 0;
        Dwarf_Off offset = 0;
        error = NULL;
        if (*form == DW_FORM_rnglistx || *form == DW_FORM_data4 || *form == DW_FORM_data8)
            known = dwarf_succeeded(debug, dwarf_formudata(found, &number, &error), error);
        else
            known = dwarf_succeeded(debug, dwarf_global_formref(found, &offset, &error), error);
        *out = number | offset;
    }
    dwarf_dealloc(debug, found, DW_DLA_ATTR);
    return known;
}

const char *dwarf_get_text(Dwarf_Debug debug, Dwarf_Die die, Dwarf_Half attribute)
{
    Dwarf_Error error = NULL;
    char *text = NULL;
    int result = dwarf_die_text(die, attribute, &text, &error);
    return dwarf_succeeded(debug, result, error) ? text : NULL;
}

bool dwarf_get_addresses(Dwarf_Debug debug, Dwarf_Die die, uint64_t *low, uint64_t *high)
{
    Dwarf_Addr from = 0, to = 0;
    Dwarf_Half form;
    enum Dwarf_Form_Class form_class = DW_FORM_CLASS_UNKNOWN;
    Dwarf_Error error = NULL;
    if (!dwarf_succeeded(debug, dwarf_lowpc(die, &from, &error), error))
        return false;
    error = NULL;
    if (!dwarf_succeeded(debug, dwarf_highpc_b(die, &to, &form, &form_class, &error), error))
        to = 0;
    else if (form_class == DW_FORM_CLASS_CONSTANT)
        to = to <= UINT64_MAX - from ? from + to : 0;
    *low = from;
    *high = to;
    return true;
}
