#!/bin/bash
# SPDX-License-Identifier: MIT
# The picture of which room includes from which, drawn from the includes that there are. A line X --> Y is left out
# where X reaches Y by others. A format that nobody includes, and that needs no more than formats/shared, is not drawn:
# another one changes nothing in the picture. Fails if the picture in docs/ARCHITECTURE.md is another one.
# usage: include_graph.sh SOURCE_DIR [--print]
set -u
cd "${1:?usage: include_graph.sh SOURCE_DIR [--print]}" || exit 2

mapfile -t files < <(find common specs/runtime specs/specgen wrappers retrace cli \( -name '*.c' -o -name '*.h' \) -type f | sort)
[[ ${#files[@]} -gt 100 ]] || { echo 'the source files were not found'; exit 2; }

picture=$(awk '
    # The room of a file in the picture. Rooms below it are not distinguished.
    function room_of(path,    part) {
        split(path, part, "/")
        if (path ~ /^common\/formats\/[^\/]+\//)
            return part[2] "/" part[3]
        if (path ~ /^common\/formats\//)
            return "registry"
        if (path ~ /^common\//)
            return part[2]
        if (path ~ /^(specs|cli)\/[^\/]+\//)
            return part[1] "/" part[2]
        return part[1]
    }
    function node(room,    id) {
        id = room
        gsub("[/_]", "", id)
        return id "[" room "]"
    }
    FNR == 1 { room[FILENAME] = room_of(FILENAME); name = FILENAME; sub(/.*\//, "", name); lies_in[name] = room[FILENAME] }
    /^[[:space:]]*#[[:space:]]*include[[:space:]]*"/ {
        name = $0
        sub(/^[^"]*"/, "", name); sub(/".*/, "", name); sub(/.*\//, "", name)
        from[++count] = room[FILENAME]
        to[count] = name
    }
    END {
        for (i = 1; i <= count; ++i) {
            x = from[i]; y = lies_in[to[i]]
            if (y != "" && x != y) {
                line[x, y] = reach[x, y] = 1
                rooms[x] = rooms[y] = 1
                included[y] = 1
                if (y !~ /^(base|trace|formats\/shared)$/)
                    special[x] = 1
            }
        }
        for (k in rooms) for (i in rooms) for (j in rooms)
            if (((i, k) in reach) && ((k, j) in reach))
                reach[i, j] = 1
        for (i in rooms) for (j in rooms) if ((i, j) in line) {
            needed = i !~ /^formats\// || (i in included) || (i in special)
            for (k in rooms)
                if (k != j && ((i, k) in line) && ((k, j) in reach))
                    needed = 0
            if (needed)
                print "    " node(i) " --> " node(j)
        }
    }' "${files[@]}" | LC_ALL=C sort)
picture=$(printf 'graph BT\n%s' "$picture")
if [[ ${2-} == --print ]]; then
    echo "$picture"
    exit
fi
drawn=$(sed -n '/^```mermaid$/,/^```$/p' docs/ARCHITECTURE.md | sed '/^```/d')
diff -u --label docs/ARCHITECTURE.md --label 'the includes (include_graph.sh . --print)' <(echo "$drawn") <(echo "$picture") ||
    exit 1
echo "$(wc -l <<<"$picture") lines of the picture are as the includes are"
