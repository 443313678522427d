// Which elements a person could mean: controls by their semantics, and what only looks like one.

const WIDGETS = new Set(
  ("button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option combobox " +
    "textbox searchbox slider spinbutton treeitem").split(" "),
);
// Attributes with script that a press runs: with scripts off Chromium lists no listener for them.
const INLINE = "click mousedown mouseup pointerdown pointerup touchstart touchend"
  .split(" ").map((name) => "on" + name);
const MEDIA = new Set(["audio", "video"]);

// Why an element is a control of its own ("native", "aria", ...), or null.
function controlKind(el) {
  let kind = page.kinds.get(el);
  if (kind === undefined) page.kinds.set(el, (kind = findKind(el)));
  return kind;
}

function findKind(el) {
  if (isNative(el)) return "native";
  const role = el.getAttribute("role");
  if (role && WIDGETS.has(role.trim().split(/\s+/)[0].toLowerCase())) return "aria";
  if (el.isContentEditable && !(el.parentElement && el.parentElement.isContentEditable)) return "editable";
  if (el === el.ownerDocument.body || el === el.ownerDocument.documentElement) return null;
  if (el.hasAttribute("tabindex") && el.tabIndex >= 0) return "tabindex";
  return page.listeners.has(el) || INLINE.some((name) => el.hasAttribute(name)) ? "listener" : null;
}

function isNative(el) {
  switch (el.localName) {
    case "button": case "select": case "textarea": return true;
    case "a": return el.hasAttribute("href") || el.hasAttribute("xlink:href");
    case "area": return el.hasAttribute("href");
    case "input": return el.type !== "hidden";
    case "summary": return el.parentElement?.localName === "details" && el.parentElement.querySelector(":scope > summary") === el;
    case "option": { // the list of a closed select is drawn by the system, not in the page
      const list = el.closest("select");
      return !!list && (list.multiple || list.size > 1);
    }
    default: return MEDIA.has(el.localName) && el.controls;
  }
}

const aliased = (el) => (el.localName === "label" ? el.control : null);

// A pointer cursor that starts here, outside every control: a div that somebody made clickable.
function pointerRoot(el) {
  if (styleOf(el).cursor !== "pointer") return false;
  const parent = flatParent(el);
  if (!parent || styleOf(parent).cursor === "pointer") return false;
  return !flatClosest(el, (at) => aliased(at) || (controlKind(at) && controlKind(at) !== "listener"));
}

function ownText(el) {
  for (const node of el.childNodes) if (node.nodeType === 3 && node.data.trim()) return true;
  return false;
}

const PICTURES = new Set(["img", "canvas", "picture", "video"]);

function staticKind(el) {
  if (flatClosest(el, (at) => controlKind(at) || aliased(at))) return null;
  if (PICTURES.has(el.localName) || el.getAttribute("role") === "img") return "image";
  if (el.localName === "svg") return el.ownerSVGElement ? null : "image";
  return ownText(el) && !el.ownerSVGElement ? "text" : null;
}

const UNSEEN = new Set(
  "head script style link meta title template noscript base source track param datalist".split(" "),
);

// [{el, why, kind}]: kind is control, generic (clickable by its cursor or listener only), text, image.
function candidates() {
  const out = [];
  for (const { elements } of page.frames.values())
    for (const el of elements) {
      if (UNSEEN.has(el.localName)) continue;
      const why = aliased(el) ? null : controlKind(el);
      if (why) out.push({ el, why, kind: why === "listener" ? "generic" : "control" });
      else if (!aliased(el) && pointerRoot(el)) out.push({ el, why: "pointer", kind: "generic" });
      else if (page.options.static) {
        const kind = staticKind(el);
        if (kind) out.push({ el, why: kind, kind });
      }
    }
  return out;
}

function flag(el, name) {
  const value = el.getAttribute(name);
  return value === null ? null : value;
}

// What the element says about itself; keys that do not apply are left out.
function stateOf(el) {
  const state = {};
  const put = (name, value) => { if (value !== null && value !== undefined) state[name] = value; };
  if (el.localName === "input" && (el.type === "checkbox" || el.type === "radio"))
    put("checked", el.indeterminate ? "mixed" : String(el.checked));
  else put("checked", flag(el, "aria-checked"));
  put("expanded", el.localName === "summary" ? String(el.parentElement.open) : flag(el, "aria-expanded"));
  put("selected", el.localName === "option" ? String(el.selected) : flag(el, "aria-selected"));
  put("pressed", flag(el, "aria-pressed"));
  put("current", flag(el, "aria-current"));
  if (el.readOnly || flag(el, "aria-readonly") === "true") state.readonly = "true";
  if (el.required || flag(el, "aria-required") === "true") state.required = "true";
  if (el.localName === "input" && el.type === "range") state.value = el.value;
  return state;
}

// The first reason why the state forbids a press: disabled, aria_disabled, inert, aria_hidden.
function forbiddenBy(el) {
  if (el.matches(":disabled")) return "disabled";
  if (!page.shadowed && !el.closest("[aria-disabled], [aria-hidden], [inert]")) return null;
  const says = (name) => flatClosest(el, (at) => at.getAttribute(name) === "true");
  if (says("aria-disabled")) return "aria_disabled";
  if (flatClosest(el, (at) => at.inert)) return "inert";
  return says("aria-hidden") ? "aria_hidden" : null;
}
