// One measurement: every candidate through gates 3 to 7, then its text and its grid cell.

const MIN_SIDE_PX = 8;
const MAX_SHARE = 0.5; // of the viewport: big panels are trivial targets
const MIN_FRACTION = 2 / 3;
const SMALL_PX = 24; // WCAG 2.5.8

let targets = []; // of the last measurement: {el, labels, why, kind, ...}
const round = (v) => Math.round(v * 1e4) / 1e4;
const rounded = (box) => box && box.map(round);

// A first pass may end with {need}: the number of turned elements whose quads DevTools must give.
function measure(options, quads) {
  freshPage(options);
  if (quads) page.quads = new Map(askedFor.map((el, i) => [el, quads[i]]));
  if (quads) for (const frame of page.frames.values()) placeFrame(frame);
  targets = candidates().map((c) => ({ ...c, labels: c.el.labels ? [...c.el.labels] : [] }));
  const found = targets.map(judge);
  const need = [...new Set(page.turned)];
  if (need.length && !quads) {
    askedFor = need;
    return { need: need.length };
  }
  settled = digest((target) => target.letters);
  return { candidates: found, page: pageFacts() };
}

let askedFor = [];
let settled = null; // the digest of the last measurement
const turnedElements = () => askedFor;

function pageFacts() {
  const view = page.frames.get(document).size;
  const unreachable = page.frames.get(document).elements.filter((el) => el.localName === "iframe" && !innerDocument(el));
  return {
    width: view[2], height: view[3], scale: visualViewport.scale, dpr: devicePixelRatio,
    scroll: [round(scrollX), round(scrollY)], frames: page.frames.size, unreachable: unreachable.map(selectorOf),
  };
}

const orNull = (value) => (value === undefined ? null : round(value));
const no = (reason, value, limit) => ({ reason, value: orNull(value), limit: orNull(limit) });

// The evidence of one candidate; reason is null when the gates of this file let it pass.
function judge(target, index) {
  const { el, why, kind } = target;
  const facts = {
    selector: selectorOf(el), tag: el.localName, type: el.localName === "input" ? el.type : "", kind, why, limit: null,
    role: "", name: "", state: stateOf(el), small: false, reason: null, value: null,
  };
  const verdict = weigh(target, facts);
  Object.assign(facts, verdict);
  target.passed = !facts.reason;
  target.letters = facts.hits;
  target.unseen = facts.reason === "css_hidden"; // its boxes are laid out only when asked for
  if (facts.box || facts.reason !== "css_hidden") name(el, facts);
  return lean(facts);
}

// Without what is empty: the reader fills it in, and a page's text is a third shorter.
function lean(facts) {
  const out = {};
  for (const key in facts) {
    const value = facts[key];
    if (value || value === 0) out[key] = value;
  }
  return out;
}

function name(el, facts) {
  facts.name = el.computedName || "";
  facts.role = el.computedRole || "";
}

// Labels speak for a control that is itself not to be seen: a styled checkbox.
function weigh(target, facts) {
  const { el } = target;
  const direct = isSeen(drawnBy(el)) ? weighParts(target, facts, fragmentsOf(el)) : cssHidden(el);
  if (!direct.reason || !target.labels.length) return direct;
  if (!/^(css_hidden|no_box|too_small|occluded|partly_hit|clipped|off_viewport)$/.test(direct.reason)) return direct;
  const labels = target.labels.filter((label) => label.checkVisibility(SEEN));
  const fragments = labels.flatMap(fragmentsOf);
  if (!fragments.length) return direct;
  target.proxy = labels;
  const byLabel = weighParts(target, facts, fragments);
  return byLabel.reason ? direct : { ...byLabel, by_label: true };
}

// An element with `display: contents` has no box of its own; its children are asked for theirs.
function isSeen(el) {
  if (el.checkVisibility(SEEN)) return true;
  const parent = flatParent(el);
  return !!parent && styleOf(el).display === "contents" && styleOf(el).visibility === "visible" && isSeen(parent);
}

function cssHidden(el) {
  const s = styleOf(el);
  const cause = s.visibility !== "visible" ? "visibility" : !el.checkVisibility() ? "not rendered" : "opacity";
  return { ...no("css_hidden"), by: cause };
}

function weighParts(target, facts, fragments) {
  const { el, kind } = target;
  const whole = fragments.filter((f) => area(f.whole) > 0);
  if (!whole.length) return no("no_box");
  const side = Math.max(...whole.map((f) => Math.min(width(f.whole), height(f.whole))));
  if (side < MIN_SIDE_PX) return no("too_small", side, MIN_SIDE_PX);
  const best = bestFragment(target, whole);
  if (!best) return outOfView(el, whole);
  const { fragment } = best;
  target.points = best.points;
  const shape = {
    hit_box: rounded(fragment.box), quad: fragment.turned ? fragment.quad.map(round) : null,
    mask: best.letters.replace(/./g, (c) => (isHit(c) ? 1 : 0)), hits: best.letters, fraction: round(fragment.fraction),
    fragments: whole.length,
  };
  const share = area(fragment.box) / area(page.frames.get(document).size);
  if (kind !== "image" && kind !== "text" && share > MAX_SHARE) return { ...shape, ...no("too_large", share, MAX_SHARE) };
  if (fragment.fraction < MIN_FRACTION) return { ...shape, ...cutOff(el, fragment.fraction) };
  const kept = Math.min(width(fragment.box), height(fragment.box));
  if (kept < MIN_SIDE_PX) return { ...shape, ...no("too_small", kept, MIN_SIDE_PX) };
  if (best.hits < best.needed) return { ...shape, ...missed(target, best) };
  const state = kind === "control" || kind === "generic" ? forbiddenBy(el) : null;
  if (state) return { ...shape, ...no(state, best.hits, best.needed) };
  facts.small = kept < SMALL_PX;
  return refine(target, best, shape);
}

const scrolledOut = (el) => !!flatClosest(flatParent(el) || el, (at) => scrolls(at) || inScrolledFrame(at));

// The style first: it is known, and sizes are dear.
function scrolls(el) {
  const { overflowX, overflowY } = styleOf(el);
  return (MOVABLE.test(overflowY) && el.scrollHeight > el.clientHeight + 1) ||
    (MOVABLE.test(overflowX) && el.scrollWidth > el.clientWidth + 1);
}

const MOVABLE = /auto|scroll/;

function inScrolledFrame(el) {
  const doc = el.ownerDocument;
  return doc !== document && el === doc.documentElement && el.scrollHeight > doc.defaultView.innerHeight + 1;
}

function outOfView(el, fragments) {
  const view = page.frames.get(document).size;
  if (!fragments.some((f) => area(meet(f.whole, view)) > 0)) return no(scrolledOut(el) ? "scrolled_out" : "off_viewport", 0, MIN_FRACTION);
  const fraction = Math.max(...fragments.map((f) => f.fraction));
  return cutOff(el, fraction);
}

const cutOff = (el, fraction) => no(scrolledOut(el) ? "scrolled_out" : "clipped", fraction, MIN_FRACTION);

function missed(target, best) {
  const by = best.by ? `${selectorOf(best.by)} (${best.by.computedRole || best.by.localName})` : null;
  if (best.hits > 0) {
    const stolen = [...best.letters].filter((c) => c === "t").length;
    return { ...no(stolen ? "stolen" : "partly_hit", best.hits, best.needed), by };
  }
  if (flatClosest(target.el, (at) => at.inert)) return { ...no("inert", 0, best.needed), by };
  if (styleOf(target.el).pointerEvents === "none") return { ...no("pointer_events_none", 0, best.needed), by };
  if (best.letters.includes("t")) return { ...no("stolen", 0, best.needed), by };
  if (best.letters.includes("b")) return { ...no("behind_backdrop", 0, best.needed), by };
  return { ...no(/^[an]+$/.test(best.letters) ? "not_hit" : "occluded", 0, best.needed), by };
}

// Text, the box to publish, the click point and the grid cell of a target that is hit.
function refine(target, best, shape) {
  const { el } = target, { fragment } = best;
  const text = readText(el);
  const letters = fragment.turned ? null : textBox(text.lines, fragment);
  const surface = hasSurface(el) || target.kind === "image" || fragment.turned;
  const textStrike = letters && !surface && strike(quadOf(letters), target);
  const lettersHit = letters && (surface ? middleHits(letters, target) : textStrike.hits === textStrike.distinct);
  const content = surface ? null : contentBox(target, fragment, lettersHit && { box: letters, ...textStrike });
  const words = {
    dom_text: text.dom, visible_text: text.visible, visible_share: round(text.share), placeholder: text.placeholder,
    generated_text: text.generated, alt: el.localName === "img" ? el.alt : "", surface,
    text_box: lettersHit ? rounded(letters) : null, quotable: text.share >= 0.5 && (!!lettersHit || text.lines.length === 0),
    href: el.href && typeof el.href === "string" ? el.href : "", risky: movesPossible(el),
  };
  const aim = content ? content.box : fragment.box;
  if (content) shape.hit_box = rounded(join(meet(aim, page.frames.get(document).size), fragment.box));
  const box = target.proxy ? withControl(target, fragment) : aim;
  const click = clickPoint(aim, content || best, target);
  if (!click) return { ...shape, ...no("click_missed", best.hits, best.needed), ...words };
  const cell = gridCell(aim, click, target);
  const late = cell ? {} : no("off_grid", Math.min(width(box), height(box)), MIN_SIDE_PX);
  return { ...shape, ...words, box: rounded(box), click: rounded(click), grid: cell, label_boxes: labelBoxes(target), ...late };
}

// {box, letters, points} of what an element without a surface shows; null unless all of it hits.
function contentBox(target, fragment, letters) {
  const parts = filledParts(target.el, fragment);
  if (!parts.length) return letters;
  const box = (letters ? [...parts, letters.box] : parts).reduce(join);
  const result = strike(quadOf(box), target);
  return result.hits === result.distinct ? { box, ...result } : null;
}

// Labels that can be pressed instead of the control.
function labelBoxes(target) {
  if (target.proxy || !target.labels.length) return [];
  const shown = target.labels.filter((label) => label.checkVisibility(SEEN)).flatMap(fragmentsOf);
  return shown.filter((f) => f.fraction >= MIN_FRACTION && middleHits(f.box, target)).map((f) => rounded(f.box));
}

// The union of a label and of what is in view of the control it stands for.
function withControl(target, fragment) {
  const own = fragmentsOf(target.el).filter((f) => f.fraction > 0 && area(f.box) > 1);
  return own.reduce((box, f) => join(box, f.box), fragment.box);
}
