// Freezing a page, telling whether it moved, and taking targets out of the picture and back.

// As specific as three ids, so that an author's own !important does not win.
const ANY = ":is(*, #still#still#still)";
const STILL = `${ANY}, ${ANY}::before, ${ANY}::after { transition: none !important;
  caret-color: transparent !important; scroll-behavior: auto !important; }`;
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

// Ends what ends, stops what does not, takes the focus away.
function freeze(found) {
  for (const { doc, elements, shadows } of found) {
    for (const root of [doc, ...shadows]) {
      calm(root, doc);
      root.getAnimations().forEach(halt);
    }
    const focused = doc.activeElement;
    if (focused && focused !== doc.body && !FRAMES.has(focused.localName)) focused.blur();
    for (const el of elements) if (STOPPED.test(el.localName)) (el.pause || el.stop).call(el);
  }
}

const STOPPED = /^(video|audio|marquee)$/;

function halt(animation) {
  try {
    animation.finish();
  } catch {
    animation.pause(); // endless: finish() refuses
    animation.currentTime = FROZEN_AT_MS;
  }
}

// What is still on its way: faces that load, pictures in view that have not come or are broken.
function pending(found) {
  const out = [];
  for (const { doc } of found) {
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
async function decoded() {
  const images = census().flatMap(({ doc }) => [...doc.images]).filter((img) => img.complete && img.naturalWidth);
  await Promise.all(images.map((img) => img.decode().catch(() => 0)));
  return 1;
}

// One row a target: its nine letters and its boxes, then the size of each tree.
function digest(lettersOf) {
  const rows = targets.map((target) => fingerprint(target, lettersOf));
  for (const { doc } of page.frames.values())
    rows.push(treeFacts(doc, doc.defaultView));
  return rows;
}

const treeFacts = (doc, view) =>
  [doc.getElementsByTagName("*").length, view.scrollX, view.scrollY, view.innerWidth];

function fingerprint(target, lettersOf) {
  if (target.unseen) return [target.el.checkVisibility(SEEN)];
  const row = [target.passed ? lettersOf(target) : ""];
  for (const r of rectsOf(target.el)) row.push(round(r.left), round(r.top), round(r.width), round(r.height));
  return row;
}

const sameRow = (a, b) => a.length === b.length && a.every((value, i) => value === b[i]);

// The nine points of the last measurement, struck again where they were.
function lettersNow(target) {
  let letters = "";
  for (const [x, y] of target.points) letters += classify(deepHit(x, y), target, x, y);
  return letters;
}

// A page that never ran a script: its middle point is asked, the other eight are taken on trust.
function middleNow(target) {
  const [x, y] = target.points[4];
  return target.letters.slice(0, 4) + classify(deepHit(x, y), target, x, y) + target.letters.slice(5);
}

const rectsOf = (el) => page.rects.get(el) || el.getClientRects();

// Indexes of targets that differ from the last measurement; -1 for the page itself.
function changed(scriptless) {
  page.rects.clear();
  const now = digest(scriptless ? middleNow : lettersNow);
  if (now.length !== settled.length) return [-1];
  return now.flatMap((row, i) => (sameRow(row, settled[i]) ? [] : [i < targets.length ? i : -1]));
}

const hidden = []; // [el, its style attribute]

// Not by opacity: that makes boxes of inlines that had none, and their rectangles change for good.
function hide(...indexes) {
  const roots = indexes.flatMap((i) => paintersOf(targets[i]));
  roots.forEach(hideOne);
  // A part that insists on being seen goes with its group.
  for (const el of roots) for (const at of gather(el, [])) if (getComputedStyle(at).visibility === "visible") hideOne(at);
}

function hideOne(el) {
  hidden.push([el, el.getAttribute("style")]);
  el.style.setProperty("transition", "none", "important");
  el.style.setProperty("visibility", "hidden", "important");
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

const outlineReach = (s) => (s.outlineStyle === "none" ? 0 : px(s.outlineWidth) + Math.max(0, px(s.outlineOffset)));

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
    const reach = Math.max(0, ...(s.boxShadow.match(/-?[\d.]+px/g) || []).map((v) => Math.abs(px(v)))) * 2 + outlineReach(s);
    if (box) box = [box[0] - reach, box[1] - reach, box[2] + reach, box[3] + reach];
  }
  return box && rounded(box);
}

const extents = (...indexes) => indexes.map(extent);

// Targets and what is above them: all that a pointer over the target is over.
function hoverChain(...indexes) {
  const chain = new Set();
  for (const i of indexes) for (let at = targets[i].el; at; at = flatParent(at)) chain.add(at);
  return [...chain];
}
