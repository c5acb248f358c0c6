/* SPDX-License-Identifier: MIT
 * State dumps in memory, and whether two are equal.
 */
#ifndef CLI_STATE_TREE_H
#define CLI_STATE_TREE_H

#include "base/json_value.h"

/* Sorts the members of all objects by name; of those with the same name, the last one is kept. Unless
 * keep_images, pictures (objects with a member __class__) become null, and members that describe others, such
 * as __width__, are removed. */
void state_tree_prepare(struct json_value *v, bool keep_images);

/* Whether two prepared values are equal. Floats may differ by 2^-24 of the first one, as single precision
 * does. ignore_added: the second may have members that the first lacks. NULL: there is no value; it equals
 * only NULL. */
bool state_tree_equal(const struct json_value *a, const struct json_value *b, bool ignore_added);

/* Finds a member of a prepared object, or NULL. */
const struct json_value *state_tree_member(const struct json_value *object, const struct json_member *like);

/* Compares names. The result is as that of strcmp(). */
int state_tree_compare_names(const struct json_member *a, const struct json_member *b);

#endif
