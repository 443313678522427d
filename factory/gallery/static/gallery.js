// The gallery's only script. A classic deferred script: browsers load no modules from a disk.
// Everything that can be seen is in the address, so a copied link shows the same.
"use strict";
(() => {
  const page = document.body.dataset.page;
  const root = document.body.dataset.root;
  const one = (selector, at = document) => at.querySelector(selector);
  const all = (selector, at = document) => [...at.querySelectorAll(selector)];
  const FILTERS = ["class", "difficulty", "split", "theme", "lang", "context", "canvas", "mode", "picture"];
  const CARRIED = [...FILTERS, "q", "sort", "thumbs", "blind", "zoom", "layers", "overlays"];
  const PER_PAGE = 120;
  const data = window.GALLERY || { samples: [], bands: [] };

  // ---- the address

  const params = () => new URLSearchParams(location.search);
  const get = (name) => params().get(name) || "";

  function set(name, value) {
    const now = params();
    if (value) now.set(name, value); else now.delete(name);
    history.replaceState(null, "", query(now) || location.pathname);
    carry();
  }

  function query(from, extra = {}) {
    const kept = new URLSearchParams();
    for (const name of CARRIED) if (from.get(name)) kept.set(name, from.get(name));
    for (const [name, value] of Object.entries(extra)) kept.set(name, value);
    return kept.size ? "?" + kept : "";
  }

  // Links keep the state they do not set themselves.
  function carry() {
    for (const link of all("a[data-carry]")) {
      const raw = link.dataset.href ??= link.getAttribute("href");
      const [path, own] = raw.split("?");
      const view = own ? new URLSearchParams([["blind", get("blind")]]) : params();
      link.setAttribute("href", path + query(view, Object.fromEntries(new URLSearchParams(own || ""))));
    }
  }

  // ---- the samples of the filter

  const band = (sample) => data.bands[Math.min(data.bands.length - 1, Math.floor(sample.d * data.bands.length))];
  const value = (sample, name) => (name === "difficulty" ? band(sample) : sample[name]);
  const SORTS = { difficulty: "d", area: "area", bytes: "bytes" };

  function matching(state) {
    const wanted = FILTERS.filter((name) => state.get(name));
    const words = (state.get("q") || "").toLowerCase().split(/\s+/).filter(Boolean);
    const found = data.samples.filter((sample) =>
      wanted.every((name) => value(sample, name) === state.get(name)) &&
      words.every((word) => sample.words.includes(word)));
    const sort = state.get("sort") || "";
    const field = SORTS[sort.replace("-", "")];
    if (field) {
      const sign = sort.startsWith("-") ? -1 : 1;
      found.sort((a, b) => sign * (a[field] - b[field]) || (a.key < b.key ? -1 : 1));
    }
    return found;
  }

  // ---- the grid

  function tile(sample) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.className = "tile";
    link.href = `s/${encodeURIComponent(sample.key)}.html${query(params())}`;
    const image = document.createElement("img");
    image.loading = "lazy";
    image.src = `thumb/${encodeURIComponent(sample.key)}${get("thumbs") === "page" ? "-page" : ""}.jpg`;
    image.alt = "";
    const under = document.createElement("span");
    under.className = "under";
    const number = sample.key.slice(sample.key.lastIndexOf("-") + 1).replace(/^0+(?=\d)/, "");
    const told = [
      ["b", sample.class + " " + number], ["span", sample.d.toFixed(2), "end"],
      ["span", [sample.context, sample.theme, sample.lang].join(" · "), "whole"],
      ["span", sample.canvas], ["span", sample.picture, "end"], ["span", sample.prompt, "whole"],
    ];
    for (const [name, text, kind] of told) {
      const part = document.createElement(name);
      part.textContent = text;
      part.className = kind || "";
      under.append(part);
    }
    under.lastChild.lang = sample.lang;
    link.append(image, under);
    item.append(link);
    return item;
  }

  let shownTiles = PER_PAGE;

  function drawGrid() {
    const found = matching(params());
    one("#grid").replaceChildren(...found.slice(0, shownTiles).map(tile));
    one("#found").textContent = `${found.length} of ${data.samples.length} samples`;
    one("#more").hidden = found.length <= shownTiles;
    for (const field of all("[data-filter]")) field.classList.toggle("is-set", Boolean(field.value));
  }

  function startGrid() {
    for (const name of FILTERS) {
      const field = one(`[name="${name}"]`);
      const counts = new Map();
      for (const sample of data.samples) counts.set(value(sample, name), (counts.get(value(sample, name)) || 0) + 1);
      for (const key of [...counts.keys()].sort()) field.append(new Option(`${key} (${counts.get(key)})`, key));
      if (get(name) && !counts.has(get(name))) field.append(new Option(`${get(name)} (0)`, get(name)));
      field.parentElement.hidden = counts.size < 2 && !get(name);
    }
    for (const field of all("[data-filter]")) {
      field.value = get(field.name);
      field.addEventListener("input", () => {
        shownTiles = PER_PAGE;
        set(field.name, field.value);
        drawGrid();
      });
    }
    one("#filters").addEventListener("submit", (event) => event.preventDefault());
    one("#filters").addEventListener("reset", () => {
      for (const field of all("[data-filter]")) set(field.name, "");
      drawGrid();
    });
    one("#more").addEventListener("click", () => {
      const next = shownTiles;
      shownTiles += PER_PAGE;
      drawGrid();
      all(".tile")[next]?.focus();
    });
    drawGrid();
  }

  function moveFocus(step) {
    const tiles = all(".tile");
    if (!tiles.length) return;
    const columns = getComputedStyle(one("#grid")).gridTemplateColumns.split(" ").length;
    const at = tiles.indexOf(document.activeElement);
    const by = { left: -1, right: 1, up: -columns, down: columns }[step];
    const next = at < 0 ? 0 : Math.min(tiles.length - 1, Math.max(0, at + by));
    tiles[next].focus();
    tiles[next].scrollIntoView({ block: "nearest" });
  }

  // ---- a sample

  function startSample() {
    const key = one("h1").textContent.trim();
    const found = matching(params());
    const at = found.findIndex((sample) => sample.key === key);
    for (const [id, step] of [["previous", -1], ["next", 1]]) {
      const other = at < 0 ? undefined : found[at + step];
      const link = one(`#${id}`);
      if (other) {
        link.dataset.href = `${encodeURIComponent(other.key)}.html`;
        link.setAttribute("href", link.dataset.href);
        link.dataset.carry = "";
      }
    }
    const filtered = found.length < data.samples.length ? " in filter" : "";
    one("#place").textContent = at < 0 ? "not in the filter" : `${at + 1} of ${found.length}${filtered}`;
    for (const button of all("[data-zoom]")) {
      button.addEventListener("click", () => { set("zoom", button.dataset.zoom); applyZoom(); });
    }
    for (const button of all("button[data-layer]")) {
      button.addEventListener("click", () => toggleLayer(button));
    }
    startLayers();
    applyZoom();
    const sizes = new ResizeObserver(() => all(".stage").forEach(fitMarks));
    all(".stage").forEach((stage) => sizes.observe(stage));
    for (const slot of all("button.slot")) {
      for (const event of ["mouseenter", "focus"]) slot.addEventListener(event, () => light(slot, true));
      for (const event of ["mouseleave", "blur"]) slot.addEventListener(event, () => light(slot, false));
    }
  }

  // Marks and labels keep their size on the screen whatever the zoom is.
  function fitMarks(stage) {
    const over = one(".over", stage);
    if (over) over.style.setProperty("--s", stage.dataset.width / stage.clientWidth);
  }

  // 0 is fit; the panel as large as the window allows, or image px per CSS px.
  function zoomOf(stage) {
    if (get("zoom") !== "panel" || !stage.dataset.panel) return Number(get("zoom")) || 0;
    const [x0, y0, x1, y1] = stage.dataset.panel.split(" ");
    const room = stage.parentElement;
    return Math.min((room.clientWidth - 48) / (x1 - x0), (innerHeight - 240) / (y1 - y0));
  }

  function applyZoom() {
    document.body.classList.toggle("fit", !get("zoom"));
    document.body.classList.toggle("pixels", Number(get("zoom")) > 1);
    for (const stage of all(".stage")) {
      const zoom = zoomOf(stage);
      one("img", stage).style.width = zoom ? `${zoom * stage.dataset.width}px` : "";
      if (get("zoom") === "panel" && zoom) {
        const [x0, y0, x1] = stage.dataset.panel.split(" ").map(Number);
        const room = stage.parentElement;
        room.scrollTo(stage.offsetLeft + (zoom * (x0 + x1) - room.clientWidth) / 2, zoom * y0 - 8);
      }
      fitMarks(stage);
    }
    for (const button of all("[data-zoom]")) button.setAttribute("aria-pressed", String(button.dataset.zoom === get("zoom")));
  }

  function startLayers() {
    const wanted = get("layers") && get("layers").split(".");
    for (const button of all("button[data-layer]")) {
      if (wanted && !button.disabled) button.setAttribute("aria-pressed", String(wanted.includes(button.dataset.layer)));
    }
    applyLayers();
  }

  function toggleLayer(button) {
    button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
    const on = all('button[data-layer][aria-pressed="true"]').map((other) => other.dataset.layer);
    set("layers", on.join(".") || "none");
    set("overlays", "");
    applyLayers();
  }

  function applyLayers() {
    document.body.classList.toggle("no-overlays", get("overlays") === "off");
    for (const button of all("button[data-layer]")) {
      const off = button.getAttribute("aria-pressed") !== "true";
      for (const shape of all(`.over [data-layer="${button.dataset.layer}"]`)) shape.classList.toggle("off", off);
    }
  }

  function light(slot, on) {
    for (const item of all(`[data-ref="${CSS.escape(slot.dataset.ref)}"]`)) item.classList.toggle("lit", on);
  }

  // ---- answers and blind mode

  // What gives an answer away waits in templates. In blind mode it never enters the page.
  function unveil() {
    const blind = get("blind") === "1";
    for (const veiled of all("template[data-secret]")) {
      if (blind) veiled.remove(); else veiled.replaceWith(veiled.content);
    }
    one("#blind").setAttribute("aria-pressed", String(blind));
    for (const note of all(".veil")) note.hidden = !blind;
  }

  function toggleBlind() {
    const now = params();
    if (now.get("blind")) now.delete("blind"); else now.set("blind", "1");
    location.search = now.toString();
  }

  // ---- light and dark

  function stored(name, to) {
    try {
      if (to !== undefined) localStorage.setItem(name, to);
      return localStorage.getItem(name);
    } catch {
      return null; // some browsers keep nothing for pages from a disk
    }
  }

  function isDark() {
    const chosen = document.documentElement.dataset.scheme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  }

  function applyScheme(scheme) {
    if (scheme) document.documentElement.dataset.scheme = scheme;
    one("#scheme").textContent = isDark() ? "Light" : "Dark";
  }

  // ---- copying

  let toastTimer;
  function toast(text) {
    one("#toast").textContent = text;
    one("#toast").classList.add("on");
    clearTimeout(toastTimer);
    toastTimer = setTimeout(() => one("#toast").classList.remove("on"), 1600);
  }

  async function copy(text, told) {
    try {
      await navigator.clipboard.writeText(text);
      toast(told);
    } catch {
      window.prompt("Copy this:", text);
    }
  }

  // ---- keys

  function step(direction) {
    if (page === "samples") moveFocus(direction);
    const link = { left: "#previous", right: "#next" }[direction];
    if (page === "sample" && link && one(link).hasAttribute("href")) one(link).click();
  }

  function toFilter() {
    if (page === "samples") one("label:not([hidden]) > [data-filter]").focus();
    else if (page === "sample") one("#place").focus();
    else one('nav a[href*="samples.html"]').focus();
  }

  function toFilm() {
    const film = one("#film");
    film?.scrollIntoView({ block: "center" });
    film?.focus();
  }

  function toggleOverlays() {
    set("overlays", get("overlays") === "off" ? "" : "off");
    applyLayers();
  }

  const KEYS = {
    j: () => step("right"), k: () => step("left"),
    ArrowRight: () => step("right"), ArrowLeft: () => step("left"),
    ArrowDown: () => step("down"), ArrowUp: () => step("up"),
    o: toggleOverlays, r: toFilm, f: toFilter, b: toggleBlind,
    y: () => copy(location.href, "Link copied"),
    h: () => document.body.classList.add("hide-overlays"),
    "?": () => one("#help").showModal(),
  };

  function onKey(event) {
    const typing = event.target.closest("input, select, textarea, dialog");
    if (event.key === "Escape" && typing) typing.blur();
    const scrolls = event.key.startsWith("Arrow") && event.target.closest(".strip, .scroller, pre");
    if (typing || scrolls || event.ctrlKey || event.metaKey || event.altKey || !(event.key in KEYS)) return;
    if (event.key.startsWith("Arrow") && page !== "samples" && /Up|Down/.test(event.key)) return;
    if (page !== "samples" && page !== "sample" && event.key.startsWith("Arrow")) return;
    event.preventDefault();
    if (!event.repeat || event.key === "j" || event.key === "k") KEYS[event.key]();
  }

  const showOverlays = () => document.body.classList.remove("hide-overlays");

  // ---- start

  applyScheme(stored("gallery-scheme"));
  unveil();
  if (page === "samples") startGrid();
  if (page === "sample") startSample();
  carry();
  one("#blind").addEventListener("click", toggleBlind);
  one("#ask").addEventListener("click", () => one("#help").showModal());
  one("#scheme").addEventListener("click", () => applyScheme(stored("gallery-scheme", isDark() ? "light" : "dark") || (isDark() ? "light" : "dark")));
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy]");
    if (button) copy(button.dataset.copy, "Command copied");
  });
  document.addEventListener("keydown", onKey);
  document.addEventListener("keyup", (event) => { if (event.key === "h") showOverlays(); });
  window.addEventListener("blur", showOverlays);
  // Keys work from here on: a page drops them until its first frame is on the screen.
  const ready = () => { document.body.dataset.ready = ""; };
  new PerformanceObserver(ready).observe({ type: "paint", buffered: true });
})();
