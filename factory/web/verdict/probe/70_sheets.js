// What the style sheets say that needs a closer look: generated text and moves under the pointer.

const sheetMemo = new WeakMap(); // sheet -> {rules, generates, hovers}

// Long names of properties that can move a box or take hits from it; colours cannot.
const MOVING = new RegExp(
  "^(transform|translate|scale|rotate|offset|position|inset|top|left|right|bottom|margin|padding|width|" +
    "height|min-|max-|display|visibility|opacity|pointer-events|clip|font|line-height|letter|word|flex|" +
    "grid|zoom|content|z-index|overflow|order|float|box-sizing|border-.*(width|style)$)",
);

// {generates, hovers: [selector of what must be under the pointer]} of a document and its shadows.
function sheetFacts(doc) {
  const frame = page.frames.get(doc);
  if (frame.facts) return frame.facts;
  const roots = [doc, ...frame.shadows];
  const all = roots.flatMap((root) => [...root.styleSheets, ...root.adoptedStyleSheets].filter((s) => s !== still.get(doc)).map(factsOf));
  frame.facts = { generates: all.some((f) => f.generates), hovers: all.flatMap((f) => f.hovers) };
  return frame.facts;
}

function factsOf(sheet) {
  let rules;
  try {
    rules = sheet.cssRules;
  } catch {
    return { generates: true, hovers: ["*"] }; // unreadable: expect anything
  }
  const known = sheetMemo.get(sheet);
  if (known && known.count === rules.length) return known;
  const found = { count: rules.length, generates: false, hovers: [] };
  readRules(rules, found);
  sheetMemo.set(sheet, found);
  return found;
}

function readRules(rules, found) {
  for (const rule of rules) {
    const selector = rule.selectorText;
    if (selector) {
      if (/::?(before|after)/.test(selector)) found.generates = true;
      if (selector.includes(":hover") && Array.from(rule.style).some((name) => MOVING.test(name)))
        found.hovers.push(...hoveredParts(selector));
    }
    if (rule.styleSheet) {
      const inner = factsOf(rule.styleSheet);
      found.generates ||= inner.generates;
      found.hovers.push(...inner.hovers);
    }
    if (rule.cssRules && rule.cssRules.length) readRules(rule.cssRules, found);
  }
}

// ".row:hover > .tip, a:hover" -> [".row", "a"]: up to the compound that must be hovered.
function hoveredParts(selector) {
  return selector.split(",").filter((part) => part.includes(":hover")).map((part) => {
    const end = part.indexOf(":hover");
    const rest = part.slice(end + 6).match(/^[^\s>+~]*/)[0];
    const compound = (part.slice(0, end) + rest).replace(/::?(before|after)/g, "").trim();
    return !compound || /[>+~]$/.test(compound) ? `${compound} *` : compound;
  });
}

// Whether a pointer over the element can set off one of the sheets' moves.
function movesPossible(el) {
  const hovers = sheetFacts(el.ownerDocument).hovers;
  return hovers.some((selector) => {
    try {
      return !!flatClosest(el, (at) => at.matches(selector));
    } catch {
      return true; // a selector that we cannot take apart
    }
  });
}
