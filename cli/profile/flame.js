'use strict';
// A row is a stack: its last function, the row without it (Parent), calls, and times. Widths are times, or numbers of calls.
const rows = JSON.parse(document.getElementById('stacks').textContent);
const flame = document.querySelector('main'), details = document.querySelector('footer');
const threads = document.getElementById('thread'), values = document.getElementById('value');
const search = document.getElementById('search'), found = document.querySelector('output');
const rowHeight = 20; // pixels
const narrowest = 0.3; // pixels; what is narrower is not shown
let root, zoomed, shown = [];

const threadOf = row => row.Thread == null ? '' : (row.Process == null ? '' : row.Process + '/') + row.Thread;

// The tree of one thread, or of all: equal stacks become one.
function makeTree() {
  const top = { name: 'all', children: new Map(), count: 0, self: 0, total: 0, depth: 0 }, nodes = new Map(), all = [top];
  for (const row of rows) {
    if (threads.value && threadOf(row) !== threads.value) continue;
    const parent = row.Parent == null ? top : nodes.get(row.Parent);
    let node = parent.children.get(row.Function);
    if (!node) {
      node = { name: row.Function, group: row.Group, parent, children: new Map(), count: 0, self: 0, total: 0, depth: parent.depth + 1 };
      parent.children.set(row.Function, node);
      all.push(node);
    }
    nodes.set(row.Id, node);
    node.count += row.Count;
    node.self += row.Self;
    node.total += row.Total;
  }
  for (const node of all) node.size = values.value === 'calls' ? node.count : node.self;
  for (const node of all.reverse()) if (node.parent) node.parent.size += node.size;
  all.reverse();
  for (const node of all) { // callees side by side, the largest first
    let left = 0;
    for (const child of [...node.children.values()].sort((a, b) => b.size - a.size)) {
      child.left = left;
      left += child.size;
    }
  }
  top.total = top.size;
  return top;
}

const number = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });

function timeText(time) {
  if (document.body.dataset.unit !== 's') return time.toLocaleString('en') + ' ticks';
  for (const [size, unit] of [[1, 's'], [1e-3, 'ms'], [1e-6, 'µs']])
    if (time >= size) return number.format(time / size) + ' ' + unit;
  return number.format(time * 1e9) + ' ns';
}

const share = node => number.format(root.size > 0 ? 100 * node.size / root.size : 0) + ' %';

function describe(node) {
  if (node === root) return `all: ${values.value === 'calls' ? root.size.toLocaleString('en') + ' calls' : timeText(root.size)}`;
  return `${node.name}: ${node.count.toLocaleString('en')} calls, self ${timeText(node.self)}, total ${timeText(node.total)}, ${share(node)}`;
}

function hue(node) {
  let hash = 0;
  for (const c of node.name) hash = (hash * 31 + c.codePointAt(0)) >>> 0;
  hash = Math.imul(hash, 0x9e3779b1) >>> 16; // names that differ little differ in colour
  return node.group ? 200 + hash % 40 : hash % 55;
}

function place(node, left, width) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = node.name;
  button.title = describe(node);
  button.tabIndex = -1;
  button.style.cssText = `left:${left}%;width:${width}%;top:${node.depth * rowHeight}px;--hue:${hue(node)}`;
  button.classList.toggle('group', !!node.group);
  button.node = node;
  node.button = button;
  shown.push(node);
}

// What is zoomed is as wide as the page, and so is all that it is in.
function draw() {
  const least = 100 * narrowest / (flame.clientWidth || 1000), pending = [];
  shown = [];
  for (let node = zoomed; node; node = node.parent) {
    place(node, 0, 100);
    node.button.classList.toggle('above', node !== zoomed);
  }
  pending.push([zoomed, 0]);
  while (pending.length > 0) {
    const [node, left] = pending.pop();
    for (const child of node.children.values()) {
      const at = left + 100 * child.left / zoomed.size, width = 100 * child.size / zoomed.size;
      if (!(width >= least)) continue;
      place(child, at, width);
      pending.push([child, at]);
    }
  }
  flame.replaceChildren(...shown.map(node => node.button));
  flame.style.minHeight = (1 + Math.max(...shown.map(node => node.depth))) * rowHeight + 'px';
  zoomed.button.tabIndex = 0;
  mark();
}

const matches = node => search.value !== '' && node !== root && node.name.toLowerCase().includes(search.value.toLowerCase());

// A stack counts once, however many of its functions match.
function mark() {
  let size = 0;
  for (const node of shown) node.button.classList.toggle('match', matches(node));
  for (const pending = [root]; pending.length > 0;) {
    const node = pending.pop();
    if (matches(node)) size += node.size;
    else pending.push(...node.children.values());
  }
  found.textContent = search.value ? `${share({ size })} found` : '';
}

function zoom(node) {
  zoomed = node;
  draw();
  details.textContent = describe(node);
}

function start() {
  root = makeTree();
  zoom(root);
}

function focus(node) {
  if (!node || !node.button || !node.button.isConnected) return;
  for (const other of shown) other.button.tabIndex = other === node ? 0 : -1;
  node.button.focus();
}

const largest = node => [...node.children.values()].filter(child => shown.includes(child)).sort((a, b) => a.left - b.left)[0];

function beside(node, step) {
  const side = node.parent ? [...node.parent.children.values()].filter(child => shown.includes(child)).sort((a, b) => a.left - b.left) : [];
  return side[side.indexOf(node) + step];
}

flame.addEventListener('click', event => {
  const node = event.target.node;
  if (!node) return;
  zoom(node);
  focus(node);
});
for (const kind of ['mouseover', 'focusin'])
  flame.addEventListener(kind, event => { if (event.target.node) details.textContent = describe(event.target.node); });
flame.addEventListener('keydown', event => {
  const node = event.target.node;
  const moves = { ArrowUp: () => node.parent, ArrowDown: () => largest(node), ArrowLeft: () => beside(node, -1), ArrowRight: () => beside(node, 1) };
  if (!node || !(event.key in moves)) return;
  focus(moves[event.key]());
  event.preventDefault();
});
document.addEventListener('keydown', event => {
  if (event.key === 'Escape') { search.value = ''; zoom(root); focus(root); }
  if (event.key === '/' && event.target !== search) { search.focus(); event.preventDefault(); }
});
document.getElementById('reset').addEventListener('click', () => zoom(root));
search.addEventListener('input', mark);
for (const select of [threads, values]) select.addEventListener('change', start);
addEventListener('resize', draw);

for (const name of [...new Set(rows.map(threadOf))].sort((a, b) => a.localeCompare(b, 'en', { numeric: true })))
  if (name) threads.append(new Option(name, name));
start();
