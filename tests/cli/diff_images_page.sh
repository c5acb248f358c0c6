#!/bin/bash
# SPDX-License-Identifier: MIT
# The report of diff-images works in a browser: a click opens a picture, keys and buttons change what is shown.
# usage: diff_images_page.sh TRACE_CLI
set -u
cli=$(realpath "$1")
browser=$(command -v chromium || command -v google-chrome) || {
    echo 'skipped: no browser that runs without a display'
    exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

mkdir a b
for name in 1 2 3; do
    printf 'P6\n2 1\n255\n\x01\x02\x03\x04\x05\x06' >a/$name.ppm
done
printf 'P6\n2 1\n255\n\x01\x02\x03\xff\x05\x06' | tee b/1.ppm >b/2.ppm
"$cli" diff-images -o page.html a/ b/
[[ $? == 1 ]] || exit 1

# What the page shows after each step, a line each, becomes its text.
cat >steps.js <<'END'
const lines = [];
const say = what => lines.push(what + ': ' + (dialog.open ? dialog.querySelector('b').textContent + ' ' +
  picture.alt + ' ' + (picture.src === pictureOf(shown).src) : 'closed'));
const key = name => dialog.dispatchEvent(new KeyboardEvent('keydown', { key: name }));
const clicks = document.querySelectorAll('tbody img');
say('start');
clicks[1].click(); say('click');
key('3'); say('3');
button(0).click(); say('button');
key('f'); say('f');
const width = () => Math.round(picture.getBoundingClientRect().width);
setTimeout(() => say('later'), period + 100);
setTimeout(() => {
  say('later');
  key('f'); key('ArrowRight'); say('right');
  key('ArrowRight'); say('right'); // one that is missing: there is nothing to flicker with
  lines.push('flicker disabled ' + button('flicker').disabled);
  key('ArrowRight'); say('right');
  key('ArrowLeft'); say('left');
  button('close').click(); say('close');
  lines.push('hidden ' + getComputedStyle(document.querySelector('tbody tr')).display);
  lines.push('natural ' + clicks[0].naturalWidth);
  document.body.textContent = lines.join('\n');
}, 2 * period + 200);
END
sed '/^<\/script>/e cat steps.js' page.html >tried.html
"$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --virtual-time-budget=3000 \
    --dump-dom "file://$work/tried.html" 2>browser.txt | sed -n 's/.*<body[^>]*>//;/^start/,$p' | sed 's/<\/body>.*//' >found.txt
cat >expected.txt <<'END'
start: closed
click: 1.ppm compared true
3: 1.ppm difference true
button: 1.ppm reference true
f: 1.ppm reference true
later: 1.ppm compared true
later: 1.ppm reference true
right: 2.ppm reference true
right: 3.ppm reference true
flicker disabled true
right: 1.ppm reference true
left: 3.ppm reference true
close: closed
hidden table-row
natural 2
END
diff -u expected.txt found.txt && exit 0
tail -n 5 browser.txt
exit 1
