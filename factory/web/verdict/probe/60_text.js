// What can be read on a target: DOM text, what of it is really in view, and the box of its lines.

const squeeze = (text) => text.replace(/\s+/g, " ").trim();
const GLYPH = /[\uE000-\uF8FF]|[\u{F0000}-\u{10FFFF}]/gu; // icon fonts draw pictures from here
const ruler = document.createRange();
let pen = null; // a canvas that measures an ellipsis

function ellipsisWidth(s) {
  pen = pen || document.createElement("canvas").getContext("2d");
  pen.font = s.font;
  return pen.measureText("…").width;
}

function cased(text, s) {
  if (s.textTransform === "uppercase") return text.toUpperCase();
  if (s.textTransform === "lowercase") return text.toLowerCase();
  if (s.textTransform === "capitalize") return text.replace(/(^|\s)\S/g, (c) => c.toUpperCase());
  return text;
}

// Text nodes drawn in the target, without those of controls inside it.
function textNodes(el, out = []) {
  for (const node of flatChildren(el)) {
    if (node.nodeType === 3) {
      if (node.data.trim()) out.push(node);
    } else if (node.nodeType === 1 && !UNSEEN.has(node.localName) && !controlKind(node)) textNodes(node, out);
  }
  return out;
}

const SEEN = { opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true };
const CHARS_TRIED = 400;

// {lines: [box], text, whole, ellipsis} of one text node in local px: what its clips leave of it.
function visiblePart(node) {
  const holder = flatParent(node), s = styleOf(holder);
  const nothing = { lines: [], text: "", whole: false, ellipsis: false };
  if (!holder.checkVisibility(SEEN)) return nothing;
  const clip = contextOf(holder).flow;
  ruler.selectNodeContents(node);
  const rects = Array.from(ruler.getClientRects(), boxOf).filter((b) => area(b) > 0);
  const inside = rects.filter((b) => b[0] >= clip[0] - 1 && b[1] >= clip[1] - 1 && b[2] <= clip[2] + 1 && b[3] <= clip[3] + 1);
  if (rects.length && inside.length === rects.length) return { lines: rects, text: node.data, whole: true, ellipsis: false };
  return rects.length ? clippedPart(node, s, clip) : nothing;
}

function clippedPart(node, s, clip) {
  const dots = flatClosest(flatParent(node), (at) => styleOf(at).textOverflow === "ellipsis" || styleOf(at).webkitLineClamp !== "none");
  const cut = dots ? ellipsisWidth(s) : 0, rtl = dots && styleOf(dots).direction === "rtl";
  const narrow = [clip[0] + (rtl ? cut : 0), clip[1], clip[2] - (rtl ? 0 : cut), clip[3]];
  let text = "", lines = [], gap = false;
  for (let i = 0; i < Math.min(node.data.length, CHARS_TRIED) && !(gap && text); i++) {
    ruler.setStart(node, i);
    ruler.setEnd(node, i + 1);
    const r = ruler.getBoundingClientRect(), box = boxOf(r);
    const lastLine = r.bottom + r.height / 2 > clip[3]; // where a clamp puts its dots
    const limit = lastLine || !dots ? narrow : clip;
    const middle = (box[1] + box[3]) / 2;
    const fits = box[0] >= limit[0] - 1 && box[2] <= limit[2] + 1 && middle > clip[1] && middle < clip[3];
    const seen = area(box) === 0 ? text !== "" : fits;
    if (!seen) { gap = true; continue; }
    gap = false;
    text += node.data[i];
    if (area(box)) addToLines(lines, meet(box, clip));
  }
  return { lines, text, whole: false, ellipsis: !!dots && text !== "" };
}

function addToLines(lines, box) {
  const last = lines[lines.length - 1];
  if (last && Math.abs(last[1] - box[1]) < 2 && box[0] - last[2] < 40) lines[lines.length - 1] = join(last, box);
  else lines.push(box);
}

const BULLET = "•";

// Text that controls draw from their value, which no DOM range covers: [text, isPlaceholder].
function valueText(el) {
  if (el.localName === "select") return [Array.from(el.selectedOptions, (o) => o.label).join(", "), false];
  if (el.localName === "textarea") return el.value ? [el.value, false] : [el.placeholder, true];
  if (el.localName === "option") return [el.label, false];
  if (el.localName !== "input") return null;
  const labels = { submit: "Submit", reset: "Reset", file: "Choose File" };
  if (/^(submit|reset|button|file)$/.test(el.type)) return [(el.type !== "file" && el.value) || labels[el.type] || "", false];
  if (/^(checkbox|radio|range|color|image)$/.test(el.type)) return null;
  if (el.type === "password") return el.value ? [BULLET.repeat(el.value.length), false] : [el.placeholder, true];
  return el.value ? [el.value, false] : [el.placeholder, true];
}

// Quoted strings of ::before and ::after on the element and what is in it.
function generatedText(el) {
  if (!sheetFacts(el.ownerDocument).generates) return "";
  const around = [el, ...Array.from(el.querySelectorAll("*")).slice(0, 8)].filter((at) => at === el || !controlKind(at));
  const parts = around.flatMap((at) => ["::before", "::after"].map((which) => {
    const content = getComputedStyle(at, which).content;
    return (content.match(/"(?:[^"\\]|\\.)*"/g) || []).map((s) => s.slice(1, -1)).join("");
  }));
  return squeeze(parts.join(" ").replace(GLYPH, ""));
}

const SOLID = /^(button|input|select|textarea|option|audio|video|area|img|canvas|svg|circle|rect|path|g)$/;
const INKED = /^(img|svg|canvas|video|picture|input|select|textarea|button|hr|i)$/;
const PARTS_TRIED = 12;

// Whether the element itself paints a surface: then its box is its own, not its content's.
const hasSurface = (el) => SOLID.test(el.localName) || !!shadowOf(el) || isFilled(el);

// Boxes of pictures and filled parts inside an element without a surface, in top px.
function filledParts(el, fragment) {
  const parts = Array.from(el.querySelectorAll("*")).slice(0, PARTS_TRIED);
  return parts.filter((at) => !at.ownerSVGElement && (INKED.test(at.localName) || isFilled(at)) && at.checkVisibility(SEEN))
    .flatMap(fragmentsOf).map((f) => f.box).filter((b) => area(meet(b, fragment.whole)) > 0);
}

function isFilled(el) {
  const s = styleOf(el);
  const filled = s.backgroundImage !== "none" || !/, 0\)$|transparent/.test(s.backgroundColor) || s.boxShadow !== "none";
  return filled || ["Top", "Right", "Bottom", "Left"].some((side) => px(s[`border${side}Width`]) > 0);
}

// Everything readable on a target; lines in top px.
function readText(el) {
  const value = valueText(el);
  const generated = generatedText(el);
  if (value) {
    const text = squeeze(value[0] || "");
    return { dom: text, visible: text, share: text ? 1 : 0, placeholder: value[1] && !!text, generated, lines: [] };
  }
  const frame = page.frames.get(el.ownerDocument);
  const nodes = textNodes(el), dom = squeeze(nodes.map((n) => cased(n.data, styleOf(flatParent(n)))).join(" "));
  let visible = "", lines = [], dots = false;
  for (const node of nodes) {
    const part = visiblePart(node);
    visible += ` ${cased(part.text, styleOf(flatParent(node)))}`;
    dots = dots || part.ellipsis;
    lines = lines.concat(part.lines.map((b) => meet(mapBox(frame.topFromLocal, b), frame.clip)).filter((b) => area(b) > 0));
  }
  visible = squeeze(visible);
  const share = dom ? visible.length / dom.length : 0;
  return {
    dom, visible: dots && share < 1 ? `${visible}…` : visible, generated, lines, placeholder: false,
    share: contextOf(drawnBy(el)).faded ? 0 : share,
  };
}

const TEXT_MARGIN = 2;

// The union of the lines that lie on the fragment, and a margin; null without letters in view.
function textBox(lines, fragment) {
  const on = lines.filter((b) => area(meet(b, fragment.whole)) >= area(b) / 2);
  if (!on.length) return null;
  const union = on.reduce(join);
  const [x0, y0, x1, y1] = union;
  const grown = [x0 - TEXT_MARGIN, y0 - TEXT_MARGIN, x1 + TEXT_MARGIN, y1 + TEXT_MARGIN];
  return meet(grown, page.frames.get(document).size);
}
