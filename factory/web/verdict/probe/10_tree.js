// The flat tree: what is drawn inside what, across slots, shadow roots and frames.
// The files of this folder are joined in the order of their names into one function (see
// probe_source in page.py) that runs in an isolated world: no script of the page can reach it.

const closedRoots = new WeakMap(); // host -> its closed shadow root, as DevTools found it
const closedSlots = new WeakMap(); // light node -> the slot of a closed root that shows it

function adoptClosedRoots(...roots) {
  for (const root of roots) {
    closedRoots.set(root.host, root);
    for (const slot of root.querySelectorAll("slot"))
      for (const node of slot.assignedNodes()) closedSlots.set(node, slot);
  }
}

const shadowOf = (el) => el.shadowRoot || closedRoots.get(el) || null;

// The element that draws this node, or null at the top of a document.
function flatParent(node) {
  const slot = node.assignedSlot || closedSlots.get(node);
  if (slot) return slot;
  const parent = node.parentNode;
  if (!parent) return null;
  return parent.nodeType === 1 ? parent : parent.host || null;
}

function flatChildren(el) {
  const root = shadowOf(el);
  if (root) return root.childNodes;
  if (el.localName === "slot") {
    const shown = el.assignedNodes();
    if (shown.length) return shown;
  }
  return el.childNodes;
}

function flatClosest(el, test) {
  for (let at = el; at; at = flatParent(at)) if (test(at)) return at;
  return null;
}

// Every element of a tree of shadow roots, light trees in document order.
function gather(root, out) {
  for (const el of root.querySelectorAll("*")) {
    out.push(el);
    const shadow = shadowOf(el);
    if (shadow) gather(shadow, out);
  }
  return out;
}


const FRAMES = new Set(["iframe", "frame", "object", "embed"]);

function innerDocument(el) {
  try {
    return FRAMES.has(el.localName) ? el.contentDocument : null;
  } catch {
    return null; // a frame of another process
  }
}

// Every document that can be reached, parents before children: {doc, elements, shadows}.
function census() {
  const docs = [document];
  return Array.from(function* () {
    for (const doc of docs) {
      const elements = gather(doc, []), shadows = [];
      for (const el of elements) {
        const shadow = shadowOf(el), inner = innerDocument(el);
        if (shadow) shadows.push(shadow);
        if (inner && inner.documentElement) docs.push(inner);
      }
      yield { doc, elements, shadows };
    }
  }());
}

// A selector that finds the element again: " >>> " enters a shadow root, " |> " a frame.
function selectorOf(el) {
  const root = el.getRootNode();
  const path = pathIn(root, el, page.paths);
  if (root.host) return `${selectorOf(root.host)} >>> ${path}`;
  const frame = el.ownerDocument === document ? null : el.ownerDocument.defaultView.frameElement;
  return frame ? `${selectorOf(frame)} |> ${path}` : path;
}

// The path from the nearest id, from the body or from the root; `known` holds those of parents.
function pathIn(root, el, known) {
  if (el.id && root.getElementById && root.getElementById(el.id) === el) return `#${CSS.escape(el.id)}`;
  if (el === el.ownerDocument.body || el === el.ownerDocument.documentElement) return el.localName;
  let place = 1;
  for (let s = el.previousElementSibling; s; s = s.previousElementSibling)
    if (s.localName === el.localName) place++;
  const step = `${CSS.escape(el.localName)}:nth-of-type(${place})`, parent = el.parentNode;
  if (!parent || parent.nodeType !== 1) return step;
  let above = known.get(parent);
  if (above === undefined) known.set(parent, (above = pathIn(root, parent, known)));
  return `${above} > ${step}`;
}
