/** Draws spans of time at one value, such as orders in the book, and finds the one at a place. */
import type uPlot from 'uplot';
import type { Ink } from '../format/ink.ts';
import type { ChartMark, ChartSpan } from './chart-series.ts';

const reach = 5;

export function drawSpans(
  plot: uPlot,
  spans: readonly ChartSpan[],
  colourOf: (ink: Ink) => string,
): void {
  const { ctx } = plot;
  const { left, top, width, height } = plot.bbox;
  const right = left + width;
  const paths = new Map<Ink, Path2D>();
  for (const span of spans) {
    const from = Math.max(left, plot.valToPos(span.fromMs, 'x', true));
    const to = span.toMs === null ? right : Math.min(right, plot.valToPos(span.toMs, 'x', true));
    if (to < left || from > right) continue;
    const y = plot.valToPos(span.value, 'y', true);
    const path = paths.get(span.ink) ?? new Path2D();
    paths.set(span.ink, path);
    path.moveTo(from, y);
    // One that is shorter than a pixel is drawn as one.
    path.lineTo(Math.max(to, from + 1), y);
  }
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  ctx.globalAlpha = 0.45;
  ctx.lineWidth = 3 * window.devicePixelRatio;
  for (const [ink, path] of paths) {
    ctx.strokeStyle = colourOf(ink);
    ctx.stroke(path);
  }
  ctx.restore();
}

/** Returns the span under the pointer as a mark at its beginning; the nearest one by value. */
export function spanNear(
  plot: uPlot,
  spans: readonly ChartSpan[],
  place: { readonly left: number; readonly top: number },
): ChartMark | undefined {
  const atMs = plot.posToVal(place.left, 'x');
  let best: ChartSpan | undefined;
  let bestDistance = reach;
  for (const span of spans) {
    if (span.fromMs > atMs || (span.toMs !== null && span.toMs < atMs)) continue;
    const distance = Math.abs(plot.valToPos(span.value, 'y') - place.top);
    if (distance >= bestDistance) continue;
    best = span;
    bestDistance = distance;
  }
  return (
    best && { atMs: best.fromMs, value: best.value, shape: 'dot', ink: best.ink, text: best.text }
  );
}
