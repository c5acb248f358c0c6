#!/bin/bash
# SPDX-License-Identifier: MIT
# The page with a flame graph works in a browser: zoom, search, threads, keys; names are shown, not interpreted.
# usage: flame_page.sh TRACE_CLI DIRECTORY_OF_TOOLS LOG
set -u
cli=$(realpath "$1")
tools=$(realpath "$2")
log=$(realpath "$3")
browser=$(command -v chromium || command -v google-chrome) || {
    echo 'skipped: no browser that runs without a display'
    exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

printf '%s\n' 'glClear mask=1' 'glPushDebugGroup source=1 id=1 length=1 message="</script><script>document.title=1//<!--&amp;"' \
    'glDrawArrays mode=4' 'glDrawArrays mode=5' 'glPopDebugGroup' 'glFlush' | "$tools/make_trace" plain.trace
"$tools/add_times" plain.trace '<b>&.trace'
"$cli" stack --format=html '<b>&.trace' >groups.html || exit 1
"$cli" stack --format=html "$log" >threads.html || exit 1
grep -iE 'https?:|@import|src=' groups.html && {
    echo 'the page refers to others'
    exit 1
}

# A page with steps, which become its text, a line each.
try() # NAME
{
    awk -v steps="$1.js" '{ if ($0 == "</script>" && ++ends == 2) while ((getline line <steps) > 0) print line; print }' "$1.html" >tried.html
    timeout 60 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --window-size=1000,600 \
        --virtual-time-budget=3000 --dump-dom "file://$work/tried.html" 2>browser.txt |
        sed -n 's/.*<body[^>]*>//;/^title/,$p' | sed 's/<\/body>.*//' | sed '/^<\/html>/d;/^$/d'
}

cat >groups.js <<'END'
const lines = [];
const say = (what, text) => lines.push(what + ': ' + text);
const texts = () => shown.map(node => node.button.textContent).sort().join(' | ');
const at = name => shown.find(node => node.name.startsWith(name));
const key = (node, name) => node.button.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
say('title', document.title);
say('heading', document.querySelector('h1').textContent);
say('shown', texts());
say('all', describe(root));
say('group', describe(at('</')));
say('is a group', at('</').button.classList.contains('group'));
at('</').button.click();
say('zoomed', shown.map(node => node.button.style.width + ' ' + node.name.slice(0, 8)).slice(0, 2).join(' | '));
say('above', at('all').button.classList.contains('above'));
say('details', details.textContent === describe(at('</')));
key(at('</'), 'Escape');
say('escape', zoomed === root);
search.value = 'DRAW';
search.dispatchEvent(new Event('input'));
say('found', found.textContent);
values.value = 'calls';
values.dispatchEvent(new Event('change'));
say('found', found.textContent);
say('matches', document.querySelectorAll('main .match').length);
say('calls', describe(root));
focus(root);
key(root, 'ArrowDown'); say('down', document.activeElement.textContent.slice(0, 8));
key(document.activeElement.node, 'ArrowDown'); say('down', document.activeElement.textContent);
key(document.activeElement.node, 'ArrowRight'); say('right', document.activeElement.textContent);
key(document.activeElement.node, 'ArrowUp'); say('up', document.activeElement.textContent.slice(0, 8));
say('focusable', [...document.querySelectorAll('main button')].filter(button => button.tabIndex === 0).length);
say('tooltip', at('glFlush').button.title);
document.dispatchEvent(new KeyboardEvent('keydown', { key: '/' }));
say('search', document.activeElement === search);
document.body.textContent = lines.join('\n');
END
try groups >found.txt
cat >expected.txt <<'END'
title: &lt;b&gt;&amp;.trace
heading: &lt;b&gt;&amp;.trace
shown: &lt;/script&gt;&lt;script&gt;document.title=1//&lt;!--&amp;amp; | all
all: all: 3.004 s
group: &lt;/script&gt;&lt;script&gt;document.title=1//&lt;!--&amp;amp;: 1 calls, self 3.004 s, total 3.004 s, 100 %
is a group: true
zoomed: 100% &lt;/script | 100% all
above: true
details: true
escape: true
found: 0.00001165 % found
found: 28.57 % found
matches: 1
calls: all: 7 calls
down: &lt;/script
down: glDrawArrays
right: glPopDebugGroup
up: &lt;/script
focusable: 1
tooltip: glFlush: 1 calls, self 1.25 µs, total 1.25 µs, 14.29 %
search: true
END
diff -u expected.txt found.txt || {
    tail -n 5 browser.txt
    exit 1
}

cat >threads.js <<'END'
const lines = ['title: ' + document.title.replace(/.*\//, '')];
const say = what => lines.push(what + ': ' + shown.length + ' ' + describe(root));
const choose = text => { threads.value = text; threads.dispatchEvent(new Event('change')); };
lines.push([...threads.options].map(option => option.text).join(' '));
values.value = 'calls'; choose('');
say('all');
choose('23757/23760'); say('one');
lines.push(describe(shown.find(node => node.name === '#6')));
document.body.textContent = lines.join('\n');
END
try threads >found.txt
cat >expected.txt <<'END'
title: plain-5.xray
all 23757/23757 23757/23759 23757/23760 23757/23761
all: 11 all: 79 calls
one: 10 all: 26 calls
#6: 1 calls, self 5.068 µs, total 8.713 µs, 100 %
END
diff -u expected.txt found.txt && exit 0
tail -n 5 browser.txt
exit 1
