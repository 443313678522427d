// The oracle's ears, in the page's own world before any script of the page: it writes down where
// each press arrives and lets no press through, so that a page stays as it is.
(() => {
  const heard = new Set();
  const add = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (type, ...rest) {
    if (/^(click|mousedown|mouseup|pointerdown|pointerup|touchstart|touchend)$/.test(type)) heard.add(this);
    return add.call(this, type, ...rest);
  };
  const oracle = (window.oracle = { path: null, list: [] });
  for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"])
    add.call(window, type, (event) => {
      if (type === "pointerdown") oracle.path = event.isTrusted ? event.composedPath() : null;
      event.stopImmediatePropagation();
      event.preventDefault();
    }, { capture: true, passive: false });

  const tags = ["BUTTON", "SELECT", "TEXTAREA", "SUMMARY"];
  const roles = "button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option combobox textbox searchbox slider spinbutton treeitem";
  function pressable(el) {
    if (el === document.body || el === document.documentElement) return false;
    if (tags.includes(el.tagName) || (el.tagName === "INPUT" && el.type !== "hidden")) return true;
    if (el.tagName === "A" && el.getAttribute("href") !== null) return true;
    if (roles.split(" ").includes(el.getAttribute("role"))) return true;
    if (el.tagName === "OPTION") return el.parentElement.size > 1 || el.parentElement.multiple;
    if (el.getAttribute("contenteditable") === "true" || (el.getAttribute("tabindex") !== null && el.tabIndex >= 0)) return true;
    return heard.has(el) || el.onclick !== null || el.onmousedown !== null;
  }

  // Every element that something happens on, with its largest line box inside the viewport.
  oracle.collect = () => {
    oracle.list = [...document.querySelectorAll("body *")].filter(pressable);
    return oracle.list.map((el) => {
      let best = null;
      for (const r of el.getClientRects()) {
        const box = [Math.max(0, r.left), Math.max(0, r.top), Math.min(innerWidth, r.right), Math.min(innerHeight, r.bottom)];
        const size = Math.max(0, box[2] - box[0]) * Math.max(0, box[3] - box[1]);
        if (size > 0 && (!best || size > best.size)) best = { box, size };
      }
      const off = el.disabled === true || el.closest("[aria-disabled=true], fieldset[disabled]") !== null;
      return { box: best && best.box, off, mark: `${el.tagName}#${el.id}.${el.className}` };
    });
  };

  oracle.find = (selector) => oracle.list.indexOf(document.querySelector(selector));

  // Which element of the list the last press was for: the innermost one, or the one it labels.
  oracle.owner = () => {
    for (const at of oracle.path || []) {
      if (oracle.list.includes(at)) return oracle.list.indexOf(at);
      if (at.tagName === "LABEL" && at.control) return oracle.list.indexOf(at.control);
    }
    return -1;
  };

  oracle.cover = (index, on) => {
    const el = oracle.list[index];
    for (const at of [el, ...el.querySelectorAll("*")])
      if (on) at.style.setProperty("visibility", "hidden", "important");
      else at.style.removeProperty("visibility");
  };
})();
