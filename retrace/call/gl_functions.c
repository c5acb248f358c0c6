/* SPDX-License-Identifier: MIT */
#include "call/gl_functions.h"

FUNCTION_TABLE_DEFINE_LOAD(gl_functions_load, gl_functions, GL_FUNCTION_LIST)
