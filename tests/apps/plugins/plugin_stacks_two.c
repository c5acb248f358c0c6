/* SPDX-License-Identifier: MIT */
#include "plugin_stacks.h"

PLUGIN_STACKS(other_inner)
