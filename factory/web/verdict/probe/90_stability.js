// Freezing a page, telling whether it moved, and taking targets out of the picture and back.

const STILL = `*, *::before, *::after, ::backdrop { transition: none !important; caret-color: transparent !important;
  scroll-behavior: auto !important; }`;
const FROZEN_AT_MS = 1000; // where endless animations stand in every picture
const still = new WeakMap(); // document -> its constructed sheet

function calm(root, doc) {
  let sheet = still.get(doc);
  if (!sheet) {
    sheet = new doc.defaultView.CSSStyleSheet();
    sheet.replaceSync(STILL);
    still.set(doc, sheet);
  }
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}

// Ends what ends, stops what does not, takes the focus away. Returns the number of animations.
function freeze() {
  let count = 0;
  for (const doc of documents()) {
    for (const root of [doc, ...shadowRootsOf(doc)]) {
      calm(root, doc);
      for (const animation of root.getAnimations()) {
        count++;
        halt(animation);
      }
    }
    const focused = doc.activeElement;
    if (focused && focused !== doc.body && !FRAMES.has(focused.localName)) focused.blur();
    for (const media of doc.querySelectorAll("video, audio, marquee")) (media.pause || media.stop).call(media);
  }
  return count;
}

function halt(animation) {
  try {
    animation.finish();
  } catch {
    animation.pause(); // endless: finish() refuses
    animation.currentTime = FROZEN_AT_MS;
  }
}

// What is still on its way: faces that load, pictures in view that have not come or are broken.
function pending() {
  const out = [];
  for (const doc of documents()) {
    if (doc.readyState !== "complete") out.push(["loading", doc.URL.slice(0, 80)]);
    for (const face of doc.fonts) if (face.status === "loading") out.push(["font", face.family]);
    for (const img of doc.images) {
      if (!img.checkVisibility() || !inView(img)) continue;
      if (!img.complete) out.push(["image", img.currentSrc.slice(0, 80)]);
      else if (!img.naturalWidth && (img.currentSrc || img.src)) out.push(["broken_image", img.currentSrc.slice(0, 80)]);
    }
  }
  return out;
}

function inView(el) {
  const r = el.getBoundingClientRect(), view = el.ownerDocument.defaultView;
  return r.width > 0 && r.bottom > 0 && r.right > 0 && r.top < view.innerHeight && r.left < view.innerWidth;
}

// Pictures decoded, so that the first shot has them; resolves when all are.
const decoded = () => Promise.all(documents().flatMap((doc) => [...doc.images].filter((i) => i.complete && i.naturalWidth).map((i) => i.decode().catch(() => 0)))).then(() => 1);

// One string a target: its boxes and its nine letters, then the size of each tree.
function digest(lettersOf) {
  const rows = targets.map((target) => fingerprint(target, lettersOf));
  for (const { doc } of page.frames.values())
    rows.push(`${doc.getElementsByTagName("*").length} ${doc.defaultView.scrollX} ${doc.defaultView.scrollY} ${doc.defaultView.innerWidth}`);
  return rows;
}

function fingerprint(target, lettersOf) {
  if (target.unseen) return String(target.el.checkVisibility(SEEN));
  let text = target.passed ? lettersOf(target) : "";
  for (const r of target.el.getClientRects()) text += ` ${round(r.left)},${round(r.top)},${round(r.width)},${round(r.height)}`;
  return text;
}

// The nine points of the last measurement, struck again where they were.
function lettersNow(target) {
  let letters = "";
  for (const [x, y] of target.points) letters += classify(deepHit(x, y), target, x, y);
  return letters;
}

// Indexes of targets that differ from the last measurement; -1 for the page itself.
function changed() {
  const now = digest(lettersNow);
  if (now.length !== settled.length) return [-1];
  return now.flatMap((row, i) => (row === settled[i] ? [] : [i < targets.length ? i : -1]));
}

const hidden = []; // [el, its style attribute]

function hide(...indexes) {
  for (const i of indexes)
    for (const el of paintersOf(targets[i])) {
      hidden.push([el, el.getAttribute("style")]);
      el.style.setProperty("transition", "none", "important");
      el.style.setProperty("opacity", "0", "important");
    }
}

function show() {
  for (const [el, style] of hidden.splice(0).reverse())
    if (style === null) el.removeAttribute("style");
    else el.setAttribute("style", style);
}

function paintersOf(target) {
  if (target.proxy) return [...target.proxy, target.el];
  const el = drawnBy(target.el);
  return styleOf(el).display === "contents" ? [...el.children] : [el];
}

// The box that a target's paint may fill: its descendants' boxes and its shadow, in top px.
function extent(i) {
  let box = null;
  for (const el of paintersOf(targets[i])) {
    const map = page.frames.get(el.ownerDocument).topFromLocal;
    const all = [el, ...Array.from(el.querySelectorAll("*")).slice(0, 200)];
    for (const at of all) {
      const own = mapBox(map, boxOf(at.getBoundingClientRect()));
      if (area(own) > 0) box = box ? join(box, own) : own;
    }
    const s = styleOf(el);
    const reach = Math.max(0, ...(s.boxShadow.match(/-?[\d.]+px/g) || []).map((v) => Math.abs(px(v)))) * 2 + px(s.outlineWidth) + Math.max(0, px(s.outlineOffset));
    if (box) box = [box[0] - reach, box[1] - reach, box[2] + reach, box[3] + reach];
  }
  return box && rounded(box);
}

const extents = (...indexes) => indexes.map(extent);
const elementsOf = (...indexes) => indexes.map((i) => targets[i].el);

// Targets and what is above them: all that a pointer over the target is over.
function hoverChain(...indexes) {
  const chain = new Set();
  for (const i of indexes) for (let at = targets[i].el; at; at = flatParent(at)) chain.add(at);
  return [...chain];
}
