/** Functions that run in the browser: Playwright sends their text. Each one stands alone. */

export function backgroundColour() {
  return getComputedStyle(document.body).backgroundColor;
}

/** By how much the page is wider than its window. */
export function overflow() {
  return document.documentElement.scrollWidth - document.documentElement.clientWidth;
}

/** The contrast of each text with what is behind it, as WCAG 2 defines it. */
export function contrasts() {
  const part = (value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const luminance = (colour) => {
    const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/gu) ?? []).map(Number);
    return 0.2126 * part(red / 255) + 0.7152 * part(green / 255) + 0.0722 * part(blue / 255);
  };
  const behind = (element) => {
    for (let one = element; one !== null; one = one.parentElement) {
      const { backgroundColor } = getComputedStyle(one);
      if (!/, 0\)$|transparent/u.test(backgroundColor)) return backgroundColor;
    }
    return 'rgb(255, 255, 255)';
  };
  const isShown = (one) =>
    one.closest('.unseen, .tip, :disabled, option') === null &&
    one.getBoundingClientRect().width > 0 &&
    [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
  return [...document.querySelectorAll('main *, header *')].filter(isShown).map((one) => {
    const values = [getComputedStyle(one).color, behind(one)].map(luminance);
    const [low, high] = values.toSorted((a, b) => a - b);
    return { text: one.textContent.slice(0, 30), ratio: (high + 0.05) / (low + 0.05) };
  });
}

/** What the canvas of a chart shows, as text. */
export function pictureOf(canvas) {
  return canvas.toDataURL();
}

/** How many pixels of each canvas are drawn. */
export function drawnPixels(canvases) {
  return canvases.map((canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return data.filter((value, index) => index % 4 === 3 && value > 0).length;
  });
}

/** The beginning of the element that has the focus. */
export function focused() {
  return document.activeElement?.outerHTML.slice(0, 80) ?? '';
}

export function focusOutline() {
  return getComputedStyle(document.activeElement).outlineStyle;
}

export function runningAnimations() {
  return document.getAnimations().length;
}

/** Buttons and fields without a name for readers of the screen. */
export function namelessControls() {
  return [...document.querySelectorAll('button, select, input')]
    .filter((one) => {
      const own = one.tagName === 'BUTTON' ? one.textContent : '';
      const label = one.closest('label')?.textContent ?? '';
      return `${one.getAttribute('aria-label') ?? ''}${label}${own}`.trim() === '';
    })
    .map((one) => one.outerHTML.slice(0, 80));
}

/** What scripts of other tabs could read: the address, and what the browser keeps. */
export function keptTexts() {
  return JSON.stringify({ ...localStorage }) + document.cookie + location.href;
}

/** Resolves when the page has been drawn again. */
export function nextFrame() {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined)));
  });
}

export function firstPaintMs() {
  return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN;
}

/** A planted fault: the status says something else. `pair` is a pattern and its replacement. */
export function changeStatus([pattern, replacement]) {
  const listen = EventSource.prototype.addEventListener;
  EventSource.prototype.addEventListener = function (name, take) {
    listen.call(this, name, ({ data }) => {
      take({ data: data.replaceAll(new RegExp(pattern, 'gu'), replacement) });
    });
  };
}

/** A planted fault: texts become markup. */
export function renderMarkup() {
  const make = document.createTextNode.bind(document);
  document.createTextNode = (text) => {
    if (!String(text).includes('<img')) return make(text);
    const holder = document.createElement('span');
    holder.innerHTML = text;
    return holder;
  };
}

/** A planted fault: only the first stream is opened. */
export function connectOnce() {
  const Original = EventSource;
  let count = 0;
  globalThis.EventSource = class extends Original {
    constructor(url) {
      super(count++ === 0 ? url : 'nothing');
      this.addEventListener('error', () => this.close());
    }
  };
}

/** A planted fault: something is wider than a narrow screen. */
export function widenPage() {
  addEventListener('DOMContentLoaded', () => {
    const wide = document.createElement('div');
    wide.style.width = '1200px';
    wide.style.height = '1px';
    document.body.append(wide);
  });
}
