/**
 * Line charts as SVG text, so that a report is a single file without dependencies.
 *
 * Colors come from the page's style sheet, by class. Numbers are floats: they are only drawn.
 */

/** Points in order of time; an undefined value leaves a gap. */
export type Line = {
  readonly name: string;
  /** A class of the style sheet. */
  readonly look: string;
  readonly points: readonly (readonly [atMs: number, value: number | undefined])[];
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
  const { title, unit, height, lines, marks = [] } = options;
  const values = [
    ...lines.flatMap((line) => line.points.map(([, value]) => value)),
    ...marks.map((mark) => mark.value),
    ...(options.includesZero === true ? [0] : []),
  ].filter((value) => value !== undefined);
  const times = lines.flatMap((line) => line.points.map(([atMs]) => atMs));
  const [fromMs, toMs] = [lowest(times), highest(times)];
  if (values.length === 0 || !(toMs > fromMs))
    return `<figure><figcaption>${escapeText(title)}</figcaption><p>nothing to draw</p></figure>`;
  const scale = scaleOf({ low: lowest(values), high: highest(values), fromMs, toMs, height });
  const radius = marks.length > crowd ? 1.6 : 3;
  const parts = [
    ...gridOf(scale, height),
    ...lines.map((line) => pathOf(line, scale)),
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
    x: (atMs) => (left + ((atMs - fromMs) / (toMs - fromMs)) * (width - left - right)).toFixed(1),
    y: (value) => (top + room * (1 - (value - low) / (high - low))).toFixed(1),
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

function pathOf({ points, look, isArea, isStep }: Line, scale: Scale): string {
  let path = '';
  let isDrawing = false;
  let firstX = '';
  let lastX = '';
  const close = (): void => {
    if (isDrawing && isArea === true) path += `V${scale.y(0)}H${firstX}Z`;
    isDrawing = false;
  };
  for (const [atMs, value] of points) {
    if (value === undefined) {
      close();
      continue;
    }
    const x = scale.x(atMs);
    const y = scale.y(value);
    if (!isDrawing) path += `M${x} ${y}`;
    else if (isStep === true) path += `H${x}V${y}`;
    else path += `L${x} ${y}`;
    if (!isDrawing) firstX = x;
    isDrawing = true;
    lastX = x;
  }
  close();
  return lastX === '' ? '' : `<path class="line ${look}" d="${path}"/>`;
}

function lowest(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Infinity);
}

function highest(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), -Infinity);
}
