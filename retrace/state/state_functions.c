/* SPDX-License-Identifier: MIT */
#include "state/state_functions.h"

FUNCTION_TABLE_DEFINE_LOAD(state_functions_load, state_functions, STATE_FUNCTION_LIST)
