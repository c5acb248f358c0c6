'use strict';
// A click on a picture opens it in its real size, beside what it is compared with: by turns (flicker), or one of them.
const rows = [...document.querySelectorAll('tbody tr')].filter(row => row.querySelector('img'));
const kinds = ['reference', 'compared', 'difference'];
const period = 500; // milliseconds
let row = 0, shown = 0, timer = 0;

const dialog = document.createElement('dialog');
dialog.innerHTML = '<div class="bar"><b></b>' +
  '<button data-do="0" title="1">Reference</button><button data-do="1" title="2">Compared</button>' +
  '<button data-do="2" title="3">Difference</button><button data-do="flicker" title="f">Flicker</button>' +
  '<button data-do="fit" title="z">Fit</button><button data-do="previous" title="Left">&larr;</button>' +
  '<button data-do="next" title="Right">&rarr;</button><button data-do="close" title="Esc">Close</button></div>' +
  '<div class="view"><img alt=""></div>';
document.body.append(dialog);
const view = dialog.querySelector('.view'), picture = view.querySelector('img');
const button = name => dialog.querySelector(`[data-do="${name}"]`);

const pictureOf = kind => rows[row].querySelector(`img[alt=${kinds[kind]}]`);

function press(name, on) { button(name).setAttribute('aria-pressed', on); }

function show(kind) {
  const small = pictureOf(kind);
  if (!small) return;
  shown = kind;
  picture.src = small.dataset.full || small.src;
  picture.alt = kinds[kind];
  kinds.forEach((_, i) => press(i, i === kind));
}

function flicker(on) {
  clearInterval(timer);
  timer = on ? setInterval(() => show(shown === 0 ? 1 : 0), period) : 0;
  press('flicker', on);
}

function open(index, kind) {
  row = (index + rows.length) % rows.length;
  dialog.querySelector('b').textContent = rows[row].querySelector('b').textContent;
  kinds.forEach((_, i) => { button(i).disabled = !pictureOf(i); });
  button('flicker').disabled = !pictureOf(0) || !pictureOf(1);
  if (button('flicker').disabled) flicker(false);
  show(pictureOf(kind) ? kind : kinds.findIndex((_, i) => pictureOf(i)));
  if (!dialog.open) dialog.showModal();
}

const actions = {
  0: () => { flicker(false); show(0); },
  1: () => { flicker(false); show(1); },
  2: () => { flicker(false); show(2); },
  flicker: () => { if (!button('flicker').disabled) flicker(!timer); },
  fit: () => press('fit', view.classList.toggle('fit')),
  previous: () => open(row - 1, shown),
  next: () => open(row + 1, shown),
  close: () => dialog.close(),
};
const keys = { 1: 0, 2: 1, 3: 2, f: 'flicker', z: 'fit', ArrowLeft: 'previous', ArrowRight: 'next' };

dialog.addEventListener('click', event => actions[event.target.dataset.do]?.());
dialog.addEventListener('keydown', event => {
  if (event.key in keys) { actions[keys[event.key]](); event.preventDefault(); }
});
dialog.addEventListener('close', () => flicker(false));

rows.forEach((element, index) => element.querySelectorAll('img').forEach(small => {
  small.tabIndex = 0;
  const enlarge = () => open(index, kinds.indexOf(small.alt));
  small.addEventListener('click', enlarge);
  small.addEventListener('keydown', event => { if (event.key === 'Enter') enlarge(); });
}));

document.getElementById('hide').addEventListener('change', event => document.body.classList.toggle('hide', event.target.checked));
