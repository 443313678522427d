// What clips an element, whether its plane is turned, and its fragments in the top frame.

let page = null; // everything remembered about one measurement: see freshPage

function freshPage(options) {
  page = {
    options, styles: new Map(), contexts: new Map(), frames: new Map(), kinds: new Map(),
    rects: new Map(), paths: new Map(), turned: [], quads: null, listeners: page ? page.listeners : new Set(),
  };
  for (const found of census()) page.frames.set(found.doc, found);
  page.shadowed = [...page.frames.values()].some((frame) => frame.shadows.length > 0);
  for (const frame of page.frames.values()) placeFrame(frame);
}

function styleOf(el) {
  let found = page.styles.get(el);
  if (!found) page.styles.set(el, (found = el.ownerDocument.defaultView.getComputedStyle(el)));
  return found;
}

const px = (text) => parseFloat(text) || 0;

// topFromLocal, its inverse, what clips the frame in top px, and whether its plane is turned.
function placeFrame(frame) {
  const view = frame.doc.defaultView;
  frame.size = [0, 0, view.innerWidth, view.innerHeight];
  const el = view.frameElement;
  if (frame.doc === document || !el) {
    Object.assign(frame, { topFromLocal: IDENTITY, localFromTop: IDENTITY, clip: frame.size, turned: false, moved: false });
    return;
  }
  const parent = page.frames.get(el.ownerDocument);
  const around = contextOf(el);
  frame.turned = parent.turned || around.turned;
  frame.moved = parent.moved || around.moved;
  const inner = contentInBorderBox(el, frame.size);
  const quad = frame.turned ? (quadsOf(el) || [null])[0] : quadOf(mapBox(parent.topFromLocal, boxOf(el.getBoundingClientRect())));
  if (!quad) { Object.assign(frame, { topFromLocal: IDENTITY, localFromTop: IDENTITY, clip: [0, 0, 0, 0] }); return; }
  frame.topFromLocal = compose(fromSquare(quad), inner);
  frame.localFromTop = inverse(frame.topFromLocal);
  const content = mapBox(frame.topFromLocal, frame.size);
  frame.clip = meet(meet(content, mapBox(parent.topFromLocal, around.own)), parent.clip);
}

// The map of a frame's own viewport into the unit square of the frame element's border box.
function contentInBorderBox(el, size) {
  const s = styleOf(el);
  const edge = (side) => px(s[`border${side}Width`]) + px(s[`padding${side}`]);
  const [left, right, top, bottom] = ["Left", "Right", "Top", "Bottom"].map(edge);
  const whole = [size[2] + left + right, size[3] + top + bottom];
  return [1 / whole[0], 0, left / whole[0], 0, 1 / whole[1], top / whole[1], 0, 0, 1];
}

const PLAIN = /^matrix\([-\d.e]+, 0, 0, [-\d.e]+, /;

// Rotation, skew and depth: everything that makes a rectangle's picture no upright rectangle.
function turns(s) {
  return (
    (s.transform !== "none" && !PLAIN.test(s.transform)) ||
    s.rotate !== "none" || (s.offsetPath && s.offsetPath !== "none")
  );
}

function containsFixed(s) {
  return (
    s.transform !== "none" || s.filter !== "none" || s.perspective !== "none" || s.translate !== "none" ||
    s.scale !== "none" || s.rotate !== "none" || /paint|layout|strict|content/.test(s.contain) ||
    /transform|filter|perspective/.test(s.willChange)
  );
}

// own: what clips the element; flow: what clips its children in the flow. What clips the others is
// asked for rarely, and found by absClip and fixedClip.
function contextOf(el) {
  const known = page.contexts.get(el);
  if (known) return known;
  const parent = flatParent(el);
  const above = parent ? contextOf(parent) : topContext(el);
  const s = styleOf(el);
  let found = above;
  if (s.display !== "contents") {
    const position = s.position;
    const own = position === "fixed" ? fixedClip(above) : position === "absolute" ? absClip(above) : above.flow;
    const inner = clipsChildren(el, s) ? meet(own, paddingBox(el, s)) : own;
    found = {
      own, flow: inner, above, s, position, turned: above.turned || turns(s),
      faded: above.faded || (s.maskImage || "none") !== "none",
      moved: above.moved || s.transform !== "none" || s.scale !== "none" || s.translate !== "none",
    };
  } else found = { ...above, own: above.flow };
  page.contexts.set(el, found);
  return found;
}

function absClip(context) {
  for (let at = context; ; at = at.above)
    if (!at.above || at.position !== "static" || containsFixed(at.s)) return at.flow;
}

function fixedClip(context) {
  for (let at = context; ; at = at.above) if (!at.above || containsFixed(at.s)) return at.flow;
}

function topContext(el) {
  const clip = page.frames.get(el.ownerDocument).size;
  return { own: clip, flow: clip, above: null, turned: false, moved: false, faded: false };
}

function clipsChildren(el, s) {
  if (s.overflow === "visible" && !/paint|strict|content/.test(s.contain)) return false;
  const doc = el.ownerDocument;
  if (el === doc.documentElement) return false; // it is the viewport's
  if (el === doc.body && styleOf(doc.documentElement).overflow === "visible") return false;
  return s.display !== "inline";
}

function paddingBox(el, s) {
  const r = el.getBoundingClientRect();
  const kx = el.offsetWidth && Math.abs(r.width - el.offsetWidth) > 1 ? r.width / el.offsetWidth : 1;
  const ky = el.offsetHeight && Math.abs(r.height - el.offsetHeight) > 1 ? r.height / el.offsetHeight : 1;
  const free = (axis) => s[`overflow${axis}`] === "visible" && s.overflow !== "visible";
  return [
    free("X") ? -Infinity : r.left + kx * px(s.borderLeftWidth),
    free("Y") ? -Infinity : r.top + ky * px(s.borderTopWidth),
    free("X") ? Infinity : r.right - kx * px(s.borderRightWidth),
    free("Y") ? Infinity : r.bottom - ky * px(s.borderBottomWidth),
  ];
}

// Quads of a turned element in top px come from DevTools; the first pass asks for them.
function quadsOf(el) {
  if (page.quads && page.quads.has(el)) return page.quads.get(el);
  page.turned.push(el);
  return null;
}

// Line boxes of an inline, the box of a block, the children's boxes where the element has none.
function localBoxes(el) {
  if (el.localName === "area") return areaBoxes(el);
  const rects = el.getClientRects();
  page.rects.set(el, rects);
  const own = Array.from(rects, boxOf).filter((b) => area(b) > 0);
  if (own.length || styleOf(el).display !== "contents") return own;
  return Array.from(el.children).flatMap(localBoxes);
}

// The picture that an <area> is a part of: the area itself has no box and no style.
function imageOf(el) {
  const map = el.closest("map");
  return map && el.ownerDocument.querySelector(`img[usemap="#${CSS.escape(map.name)}"]`);
}

const drawnBy = (el) => (el.localName === "area" && imageOf(el)) || el;

function areaBoxes(el) {
  const image = imageOf(el);
  if (!image) return [];
  const r = image.getBoundingClientRect(), s = styleOf(image);
  const x = r.left + px(s.borderLeftWidth) + px(s.paddingLeft);
  const y = r.top + px(s.borderTopWidth) + px(s.paddingTop);
  const c = el.coords.split(",").map(Number);
  if (el.shape === "circle") return [[x + c[0] - c[2], y + c[1] - c[2], x + c[0] + c[2], y + c[1] + c[2]]];
  if (el.shape === "poly") return [polygonBounds(c.map((v, i) => v + (i % 2 ? y : x)))];
  return el.shape === "default" ? [boxOf(r)] : [[x + c[0], y + c[1], x + c[2], y + c[3]]];
}

// Chromium paints boxes on whole CSS px wherever no transform is in the way, also at DPR 3.
function snapped(box) {
  const whole = box.map(Math.round);
  return area(whole) > 0 ? whole : box;
}

// {quad, box, fraction, whole} in top px for each fragment; box is what is left after clipping.
function fragmentsOf(el) {
  const frame = page.frames.get(el.ownerDocument);
  const clip = meet(mapBox(frame.topFromLocal, contextOf(drawnBy(el)).own), frame.clip);
  if (frame.turned || contextOf(drawnBy(el)).turned) {
    return (quadsOf(el) || []).map((quad) => {
      const left = cut(quad, clip), whole = polygonArea(quad);
      return { quad, box: left.length ? polygonBounds(left) : [0, 0, 0, 0], turned: true,
        fraction: whole ? polygonArea(left) / whole : 0, whole: boundsOf(quad) };
    });
  }
  return localBoxes(el).map((local) => {
    const whole = mapBox(frame.topFromLocal, local);
    const left = meet(whole, clip), fraction = area(left) / area(whole);
    const box = frame.moved || contextOf(drawnBy(el)).moved ? left : snapped(left);
    return { quad: quadOf(box), box, turned: false, fraction, whole };
  });
}
