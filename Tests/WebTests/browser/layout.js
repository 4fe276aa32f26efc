/**
 * What is wrong with the layout of a page: texts and controls that lie on each other, texts that are cut, and words that break
 * although a line has room for them. Scrolling brings to light what a scroller cuts, and what a sticky part covers.
 */
() => {
  const FRAME = "a, button, input, select, textarea, label";
  const faults = new Set();
  const style = (element) => getComputedStyle(element);
  const chain = (element) => {
    const all = [];
    for (let one = element; one && one !== document.documentElement; one = one.parentElement) all.push(one);
    return all;
  };
  const isSeen = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    chain(element).every((one) => style(one).clipPath === "none" && Number(style(one).opacity) > 0);
  const layer = (element) => chain(element).find((one) => /sticky|fixed/.test(style(one).position)) ?? null;
  const say = (text) => JSON.stringify(text.trim().slice(0, 24));

  const pieces = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || element.closest("script, noscript, option") || !isSeen(element)) continue;
    if (parseFloat(style(element).fontSize) === 0) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) pieces.push({ element, rect, name: say(node.data) });
    broken(node, range);
    cut(element, range.getBoundingClientRect(), say(node.data));
  }
  for (const element of document.querySelectorAll(FRAME)) {
    const rect = element.getBoundingClientRect();
    const name = say(element.getAttribute("aria-label") ?? element.innerText ?? "") + element.localName;
    // The text of an inline link has its own pieces.
    if (isSeen(element) && style(element).display !== "inline") pieces.push({ element, rect, name });
  }
  for (const [at, one] of pieces.entries()) {
    for (const other of pieces.slice(at + 1)) {
      const wide = Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left);
      const high = Math.min(one.rect.bottom, other.rect.bottom) - Math.max(one.rect.top, other.rect.top);
      const isInside = one.element.contains(other.element) || other.element.contains(one.element);
      // Lines of a tight heading touch each other; letters fill half of their line.
      if (wide < 2 || high < 6 || isInside || layer(one.element) !== layer(other.element)) continue;
      if (scroller(one.element) !== scroller(other.element)) continue;
      faults.add(`${one.name} and ${other.name} lie on each other`);
    }
  }
  for (const { element, name } of pieces) if (element.matches(FRAME)) covered(element, name);
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) faults.add(`the page is ${scrollWidth} pixels wide`);
  return [...faults];

  function scroller(element) {
    return chain(element).find((one) => one !== document.body && /auto|scroll/.test(style(one).overflowX)) ?? null;
  }

  function covered(element, name) {
    element.scrollIntoView({ block: "center", behavior: "instant" });
    const { left, top, width, height } = element.getClientRects()[0];
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    if (!element.contains(hit)) faults.add(`a tap on ${name} hits ${hit?.outerHTML.slice(0, 60)}`);
  }

  function cut(element, rect, name) {
    for (const one of chain(element)) {
      const { overflow } = style(one), box = one.getBoundingClientRect();
      if (/auto|scroll/.test(overflow)) return;
      const out = Math.max(box.left - rect.left, rect.right - box.right, box.top - rect.top, rect.bottom - box.bottom);
      if (/hidden|clip/.test(overflow) && out > 2) faults.add(`${name} is cut`);
    }
  }

  function broken(node, range) {
    for (const { 0: word, index } of node.data.matchAll(/[^ \n\u2010-\u2014-]+/g)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const rects = [...range.getClientRects()].filter(({ width }) => width > 0);
      const lines = new Set(rects.map(({ top }) => Math.round(top)));
      if (lines.size < 2) continue;
      const place = node.parentElement.closest(".rows > *, .bar > *, .card, .notice, .button, .pick, dialog, .tile, li, .page");
      const { paddingLeft, paddingRight } = style(place);
      const room = place.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
      const needed = rects.reduce((sum, { width }) => sum + width, 0);
      if (needed + 2 < room) faults.add(`${say(word)} breaks`);
    }
    range.selectNodeContents(node);
  }
}
