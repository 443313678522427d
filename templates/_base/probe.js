/* What is on the page, in CSS px: slot, controls, visible texts, and faults of the layout. */
(() => {
  const box = (r) => [r.left, r.top, r.right, r.bottom];
  const shown = (r) => r.width > 0 && r.height > 0 && r.right > 0 && r.bottom > 0
    && r.left < innerWidth && r.top < innerHeight;
  const meets = (a, b) => Math.min(a[2], b[2]) - Math.max(a[0], b[0]) > 1
    && Math.min(a[3], b[3]) - Math.max(a[1], b[1]) > 3;
  const slotNode = document.querySelector("[data-slot]");
  const slot = slotNode && { anchor: slotNode.dataset.slot, box: box(slotNode.getBoundingClientRect()) };

  const lines = [], texts = [], faults = [];
  const layer = (node) => node.closest(".window") ? 1 : 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.data.replace(/\s+/g, " ").trim();
    if (!text) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter(shown).map(box);
    if (!rects.length) continue;
    texts.push(text);
    for (const rect of rects) lines.push({ node, text, rect, layer: layer(node.parentElement) });
    for (let up = node.parentElement; up && up !== document.body; up = up.parentElement) {
      const style = getComputedStyle(up);
      if (style.overflow !== "visible" && !up.matches(".screen, .clip2, .thumb")) {
        const r = up.getBoundingClientRect();
        for (const rect of rects)
          if (rect[0] < r.left - 0.5 || rect[2] > r.right + 0.5 || rect[3] > r.bottom + 1)
            faults.push(`cut: ${text}`);
      }
    }
    for (const rect of rects) if (rect[2] > innerWidth + 0.5) faults.push(`off the right edge: ${text}`);
  }
  for (const node of document.querySelectorAll(".btn, .chip, .nav a, .side a, .tag"))
    if (node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 0) faults.push(`overflows: ${node.innerText}`);
  for (let i = 0; i < lines.length; i++)
    for (let j = 0; j < i; j++)
      if (lines[i].node !== lines[j].node && lines[i].layer === lines[j].layer && meets(lines[i].rect, lines[j].rect))
        faults.push(`overlap: ${lines[i].text} / ${lines[j].text}`);
  if (slot && slot.anchor === "inside")
    for (const line of lines)
      if (line.layer === layer(slotNode) && meets(line.rect, slot.box)) faults.push(`in the slot: ${line.text}`);

  const tags = { BUTTON: "button", A: "link", INPUT: "textbox", TEXTAREA: "textbox", SELECT: "combobox" };
  const controls = [];
  for (const node of document.querySelectorAll("button, a, input, textarea, select, [role]")) {
    const r = node.getBoundingClientRect();
    if (!shown(r)) continue;
    controls.push({
      role: node.getAttribute("role") || tags[node.tagName],
      name: node.getAttribute("aria-label") || node.innerText.replace(/\s+/g, " ").trim(),
      box: box(r),
      disabled: node.disabled === true,
    });
  }
  return { slot, texts: [...new Set(texts)], controls, faults: [...new Set(faults)] };
})()
