/**
 * Line charts as SVG text, so that a report is a single file without dependencies.
 *
 * Colors come from the page's style sheet, by class. Numbers are floats: they are only drawn.
 */

export type Line = {
  readonly name: string;
  /** A class of the style sheet. */
  readonly look: string;
  /** One for each of the chart's times; an undefined value leaves a gap. */
  readonly values: readonly (number | undefined)[];
  /** Fills the area down to zero. */
  readonly isArea?: boolean;
  /** Keeps each value until the next point. */
  readonly isStep?: boolean;
};

export type Mark = {
  readonly atMs: number;
  readonly value: number;
  readonly look: string;
  /** Shown when the pointer is over the mark. */
  readonly text: string;
};

export type ChartOptions = {
  readonly title: string;
  readonly unit: string;
  readonly height: number;
  /** In milliseconds, in ascending order. */
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  readonly marks?: readonly Mark[];
  readonly includesZero?: boolean;
};

const width = 1_000;
const left = 84;
const right = 12;
const top = 8;
const bottom = 22;
const ticksWanted = 5;
/** Above this number, marks are drawn smaller. */
const crowd = 200;

/** Returns the chart, or a short text if there is nothing to draw. */
export function chartOf(options: ChartOptions): string {
  const { title, unit, height, times, lines, marks = [] } = options;
  const [fromMs = 0, toMs = 0] = [times[0], times.at(-1)];
  const range = rangeOf(options);
  if (range.low > range.high || !(toMs > fromMs))
    return `<figure><figcaption>${escapeText(title)}</figcaption><p>nothing to draw</p></figure>`;
  const scale = scaleOf({ ...range, fromMs, toMs, height });
  const xs = times.map(scale.x);
  const radius = marks.length > crowd ? 1.6 : 3;
  const parts = [
    ...gridOf(scale, height),
    ...lines.map((line) => pathOf(line, xs, scale)),
    ...marks.map(
      ({ atMs, value, look, text }) =>
        `<circle class="${look}" cx="${scale.x(atMs)}" cy="${scale.y(value)}" r="${radius}"><title>${escapeText(text)}</title></circle>`,
    ),
  ];
  const legend = lines
    .map((line) => `<span class="key ${line.look}">${escapeText(line.name)}</span>`)
    .join('');
  return [
    `<figure><figcaption>${escapeText(title)} <small>${escapeText(unit)}</small> ${legend}</figcaption>`,
    `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeText(title)}">`,
    ...parts,
    '</svg></figure>',
  ].join('\n');
}

/** Escapes text for HTML, including attributes in double quotes. */
export function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

type Scale = {
  readonly x: (atMs: number) => string;
  readonly y: (value: number) => string;
  readonly ticks: readonly number[];
  readonly decimals: number;
  readonly fromMs: number;
  readonly toMs: number;
};

function scaleOf(range: {
  readonly low: number;
  readonly high: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly height: number;
}): Scale {
  const { fromMs, toMs, height } = range;
  const spread = range.high - range.low || Math.abs(range.high) || 1;
  const step = niceStep(spread / ticksWanted);
  const low = Math.floor(range.low / step) * step;
  const high = Math.max(Math.ceil(range.high / step) * step, low + step);
  const room = height - top - bottom;
  const ticks: number[] = [];
  for (let index = 0; low + index * step <= high + step / 2; index++)
    ticks.push(low + index * step);
  return {
    x: (atMs) => textOf(left + ((atMs - fromMs) / (toMs - fromMs)) * (width - left - right)),
    y: (value) => textOf(top + room * (1 - (value - low) / (high - low))),
    ticks,
    decimals: Math.max(0, -Math.floor(Math.log10(step))),
    fromMs,
    toMs,
  };
}

/** Returns the smallest number not below `wanted` that is 1, 2 or 5 times a power of ten. */
function niceStep(wanted: number): number {
  const power = 10 ** Math.floor(Math.log10(wanted));
  for (const factor of [1, 2, 5]) if (factor * power >= wanted) return factor * power;
  return 10 * power;
}

function gridOf(scale: Scale, height: number): string[] {
  const across = scale.ticks.map((value) => {
    const y = scale.y(value);
    return `<path class="grid" d="M${left} ${y}H${width - right}"/><text x="${left - 6}" y="${y}" class="tick y">${value.toFixed(scale.decimals)}</text>`;
  });
  const span = scale.toMs - scale.fromMs;
  const along = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const atMs = scale.fromMs + share * span;
    const anchor = share === 0 ? 'start' : share === 1 ? 'end' : 'middle';
    return `<text x="${scale.x(atMs)}" y="${height - 6}" class="tick" text-anchor="${anchor}">${timeText(atMs)}</text>`;
  });
  return [...across, ...along];
}

function timeText(atMs: number): string {
  return new Date(atMs).toISOString().slice(5, 19).replace('T', ' ');
}

function pathOf({ values, look, isArea, isStep }: Line, xs: readonly string[], scale: Scale) {
  let path = '';
  let firstX = '';
  let lastX = '';
  let lastY = '';
  let isDrawing = false;
  // Where the value of a step stays the same, one long line is drawn, up to `lastX`.
  let isLevel = false;
  const close = (): void => {
    if (isLevel) path += `H${lastX}`;
    if (isDrawing && isArea === true) path += `V${scale.y(0)}H${firstX}Z`;
    isDrawing = false;
    isLevel = false;
  };
  for (let index = 0; index < xs.length; index++) {
    const value = values[index];
    if (value === undefined) {
      close();
      continue;
    }
    const x = xs[index] as string;
    const y = scale.y(value);
    if (!isDrawing) {
      path += `M${x} ${y}`;
      firstX = x;
    } else if (isStep !== true) path += `L${x} ${y}`;
    else if (y !== lastY) path += `H${x}V${y}`;
    isLevel = isDrawing && isStep === true && y === lastY;
    isDrawing = true;
    lastX = x;
    lastY = y;
  }
  close();
  return lastX === '' ? '' : `<path class="line ${look}" d="${path}"/>`;
}

/** Returns the text of a coordinate, which is not negative, with one decimal. */
function textOf(coordinate: number): string {
  const tenths = Math.round(coordinate * 10);
  return `${Math.floor(tenths / 10)}.${tenths % 10}`;
}

/** Returns the lowest and highest value to draw; Infinity and -Infinity if there is none. */
function rangeOf({ lines, marks = [], includesZero }: ChartOptions): { low: number; high: number } {
  let low = includesZero === true ? 0 : Infinity;
  let high = includesZero === true ? 0 : -Infinity;
  const include = (value: number | undefined): void => {
    if (value === undefined) return;
    if (value < low) low = value;
    if (value > high) high = value;
  };
  for (const { values } of lines) for (const value of values) include(value);
  for (const { value } of marks) include(value);
  return { low, high };
}
