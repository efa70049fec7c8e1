/** Functions for pages of results that run in the browser. Each one stands alone. */

/** Returns the exact value in a table, by its title, row and column; null if it is not known. */
export function figureAt([title, row, column]) {
  const table = [...document.querySelectorAll('[aria-label]')].find(
    (one) => one.getAttribute('aria-label') === title,
  );
  if (table === undefined) throw new Error(`there is no table "${title}"`);
  const line = [...table.querySelectorAll('tr')].find(
    (one) => one.firstElementChild?.textContent === row,
  );
  if (line === undefined) throw new Error(`"${title}" has no row "${row}"`);
  const cell = line.children[column + 1];
  return cell?.querySelector('[data-exact]')?.getAttribute('data-exact') ?? null;
}

/** What each canvas shows, as text. */
export function chartPictures() {
  return [...document.querySelectorAll('.chart canvas')].map((one) => one.toDataURL());
}

/** Elements that a text of the page may have become. */
export function foreignElements() {
  return [...document.querySelectorAll('#root script, #root img, #root iframe')].map(
    (one) => one.outerHTML,
  );
}

/** Zooms in and returns after how many milliseconds the charts have been drawn again. */
export function zoomMs() {
  const begun = performance.now();
  document.querySelector('[aria-label="Zoom in"]').click();
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - begun)));
  });
}

/** When the page had drawn its charts, in milliseconds since it was asked for. */
export function usableMs() {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now())));
  });
}

/** A planted fault: the data of a result have another turnover. */
export function changeTurnover() {
  const parse = JSON.parse;
  JSON.parse = (text, ...rest) =>
    parse(
      String(text).replace(
        /("name":"Turnover","values":\[\{"kind":"amount","exact":")[^"]*/u,
        '$11',
      ),
      ...rest,
    );
}
