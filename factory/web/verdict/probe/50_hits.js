// The nine points: where they lie, what is hit there, and what that means for the target.

const INSET = 0.15; // a circle's corner samples lie inside it from (1 - 1/sqrt 2) / 2 = 0.1464 on
const PLACES = [INSET, 0.5, 1 - INSET];
const NEEDED = 5 / 9; // against dense sampling: no clickable element lost, three of 2,426 too many

// The deepest element at a point of the top frame, through shadow roots and frames; null outside.
function deepHit(x, y) {
  const first = document.elementFromPoint(x, y);
  return first && (FRAMES.has(first.localName) || shadowOf(first)) ? deeperHit(x, y) : first;
}

function deeperHit(x, y) {
  let scope = document, frame = page.frames.get(document), hit = null;
  for (;;) {
    const [lx, ly] = frame.doc === document ? [x, y] : apply(frame.localFromTop, x, y);
    const found = scope.elementFromPoint(lx, ly);
    if (!found || found === hit || (scope.host && found.getRootNode() !== scope)) return hit;
    hit = found;
    const inner = innerDocument(hit), shadow = shadowOf(hit);
    if (inner && page.frames.has(inner)) scope = inner, frame = page.frames.get(inner);
    else if (shadow) scope = shadow;
    else return hit;
  }
}

// One letter a point: s self, c child, l label are hits; t stolen by an inner control, b the
// backdrop of a dialog, a an ancestor (the target is not there), o occluded, n nothing.
function classify(hit, target, x, y) {
  if (!hit) return "n";
  if (hit === target.el) return "s";
  let stolen = false;
  for (let at = hit; at; at = flatParent(at)) {
    if (at === target.el) return stolen ? "t" : "c";
    if (target.labels.includes(at)) return stolen ? "t" : "l";
    if (controlKind(at)) stolen = true;
  }
  if (isBackdrop(hit, x, y)) return "b";
  for (let at = flatParent(target.el); at; at = flatParent(at)) if (at === hit) return "a";
  return "o";
}

function isBackdrop(hit, x, y) {
  if (hit.localName !== "dialog" && !hit.hasAttribute("popover")) return false;
  const box = mapBox(page.frames.get(hit.ownerDocument).topFromLocal, boxOf(hit.getBoundingClientRect()));
  return x < box[0] || x >= box[2] || y < box[1] || y >= box[3];
}

const isHit = (letter) => letter === "s" || letter === "c" || letter === "l";

const INWARD = 1e-6; // of the way to the middle: of two pixel centres as near, the inner one

// Nine [x, y] in the quad's own space, each on the nearest centre of a device pixel.
function samplesOf(quad) {
  const map = fromSquare(quad), middle = apply(map, 0.5, 0.5), dpr = page.options.dpr, out = [];
  for (const v of PLACES)
    for (const u of PLACES)
      out.push(apply(map, u, v).map((t, axis) => (Math.floor((t + INWARD * (middle[axis] - t)) * dpr) + 0.5) / dpr));
  return out;
}

// {letters, points, hits, distinct, needed, by}: equal samples of tiny boxes count once.
function strike(quad, target) {
  const points = samplesOf(quad), seen = new Set();
  let by = null, letters = "", hits = 0;
  for (const [x, y] of points) {
    const hit = deepHit(x, y), letter = classify(hit, target, x, y);
    letters += letter;
    if (!by && hit && "otb".includes(letter)) by = hit;
    const before = seen.size;
    if (seen.add(8192 * x + y).size > before && isHit(letter)) hits++;
  }
  return { letters, points, hits, distinct: seen.size, needed: Math.ceil(NEEDED * seen.size), by };
}

const MIN_FRAGMENT_PX = 4;
const FRAGMENTS_TRIED = 12;

// The fragment with most hits, ties by area; a turned one is sampled whole, a straight one clipped.
function bestFragment(target, fragments) {
  let best = null;
  const whole = fragments.filter((f) => Math.min(width(f.box), height(f.box)) >= MIN_FRAGMENT_PX);
  for (const fragment of whole.slice(0, FRAGMENTS_TRIED)) {
    const result = strike(fragment.quad, target);
    const share = result.hits / result.distinct;
    if (!best || share > best.share || (share === best.share && area(fragment.box) > area(best.fragment.box)))
      best = { fragment, share, ...result };
  }
  return best;
}

const within = (box, [x, y]) => box[0] <= x && x < box[2] && box[1] <= y && y < box[3];

function hitsTarget(target, [x, y]) {
  return isHit(classify(deepHit(x, y), target, x, y));
}

// The point to publish: the centre of the box if it is a hit, else the hit sample nearest to it.
function clickPoint(box, strikes, target) {
  const centre = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
  const [x, y] = strikes.points[4];
  if (isHit(strikes.letters[4]) && Math.max(Math.abs(x - centre[0]), Math.abs(y - centre[1])) <= 0.5) return centre;
  if (hitsTarget(target, centre)) return centre;
  const far = (p) => (p[0] - centre[0]) ** 2 + (p[1] - centre[1]) ** 2;
  const good = strikes.points.filter((p, i) => isHit(strikes.letters[i]) && within(box, p));
  return good.sort((a, b) => far(a) - far(b))[0] || null;
}

// The points of distinct device pixels, without the pixel of the click point: that one is a hit.
function onePerPixel(points, click) {
  const key = ([x, y]) => 8192 * Math.floor(x * page.options.dpr) + Math.floor(y * page.options.dpr);
  const seen = new Set([key(click)]);
  return points.filter((p) => {
    const before = seen.size;
    return seen.add(key(p)).size > before;
  });
}

const GRID = 1000;
const READINGS = [(q) => q / GRID, (q) => q / (GRID - 1), (q) => (q + 0.5) / GRID];
const MIN_BINS = 3; // two are enough for the three readings, one more is room for the hit zone

// Whether the middle line of a box, which lies in a fragment struck already, is the target's too.
function middleHits(box, target) {
  const y = (box[1] + box[3]) / 2;
  return PLACES.every((u) => hitsTarget(target, [box[0] + u * (box[2] - box[0]), y]));
}

// Grid cells near a click point from which every common reading lands on a hit inside the box.
function gridCell(box, click, target) {
  const size = page.frames.get(document).size.slice(2);
  if (width(box) < (MIN_BINS * size[0]) / GRID || height(box) < (MIN_BINS * size[1]) / GRID) return null;
  const base = click.map((v, axis) => Math.floor((GRID * v) / size[axis]));
  for (const [dx, dy] of [[0, 0], [-1, 0], [0, -1], [-1, -1], [1, 0], [0, 1], [1, 1]]) {
    const q = [base[0] + dx, base[1] + dy];
    if (Math.min(...q) < 0 || Math.max(...q) >= GRID) continue;
    const lands = READINGS.map((read) => [read(q[0]) * size[0], read(q[1]) * size[1]]);
    if (lands.every((p) => within(box, p)) && onePerPixel(lands, click).every((p) => hitsTarget(target, p))) return q;
  }
  return null;
}
