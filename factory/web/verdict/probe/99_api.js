// What Python may call.

// Freezes, then says what the page still waits for: one call, so that swapping stays cheap.
function settle() {
  const found = census();
  freeze(found);
  return { waiting: pending(found), pictures: found.some(({ doc }) => doc.images.length > 0) };
}

function listen(...els) {
  page = page || {};
  page.listeners = new Set(els);
}

function swap(html) {
  document.body.innerHTML = html;
  show(); // the body itself may have been a target
  if (scrollX || scrollY) scrollTo(0, 0);
}

return {
  adoptClosedRoots, changed, decoded, extents, hide, hoverChain, listen, measure, settle, show,
  swap, turnedElements,
};
