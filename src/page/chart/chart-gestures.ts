/**
 * Zooming and panning of a chart with mouse, fingers and keyboard.
 *
 * Drag: pan. Shift and drag: zoom to the selection. Double click: everything. Wheel: zoom, with
 * Ctrl or once the chart has the focus, so that scrolling the page over a chart does not change it;
 * sideways: pan. Two fingers: zoom. Keys: see {@link keyHelp}.
 */
import type uPlot from 'uplot';
import { type ChartLink, choose } from './chart-link.ts';
import { lengthOf, panned, type TimeRange, zoomed } from './time-range.ts';

export const keyHelp =
  'Drag to pan, Shift and drag to select, Ctrl and wheel to zoom, double click for all. ' +
  'Keys: + and - zoom, arrows pan, Shift and arrows move the cursor, 0 shows all.';

const keyZoom = 0.7;
const keyPan = 0.2;
/** A finger or hand that moves less than this has clicked. */
const clickReach = 4;

/** Connects the gestures; the result disconnects them. `onClick` gets the place in the plot. */
export function connectGestures(
  plot: uPlot,
  link: ChartLink,
  onClick: (place: { readonly left: number; readonly top: number }) => void,
): () => void {
  const { over, root } = plot;
  const ends = new AbortController();
  const listen = <Name extends keyof HTMLElementEventMap>(
    name: Name,
    run: (event: HTMLElementEventMap[Name]) => void,
  ): void => over.addEventListener(name, run, { signal: ends.signal, passive: false });

  const pointers = new Map<number, number>();
  let start: { range: TimeRange; left: number; top: number; spread: number } | undefined;
  let isSelecting = false;
  let hasMoved = false;

  const placeOf = (event: MouseEvent): { left: number; top: number } => {
    const rect = over.getBoundingClientRect();
    return { left: event.clientX - rect.left, top: event.clientY - rect.top };
  };
  const restart = (event: PointerEvent): void => {
    const places = [...pointers.values()];
    const [first = 0, second = first] = places;
    const { top } = placeOf(event);
    const left = (first + second) / 2;
    start = { range: link.shown.peek(), left, top, spread: Math.abs(second - first) };
  };

  listen('pointerdown', (event) => {
    if (event.button !== 0) return;
    over.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, placeOf(event).left);
    isSelecting = event.shiftKey && pointers.size === 1;
    hasMoved = pointers.size > 1;
    restart(event);
  });
  listen('pointermove', (event) => {
    if (start === undefined || !pointers.has(event.pointerId)) return;
    pointers.set(event.pointerId, placeOf(event).left);
    const [first = 0, second = first] = [...pointers.values()];
    const left = (first + second) / 2;
    if (Math.abs(left - start.left) > clickReach || pointers.size > 1) hasMoved = true;
    if (!hasMoved) return;
    if (isSelecting) {
      const [low, high] = [Math.min(start.left, left), Math.max(start.left, left)];
      const height = over.clientHeight;
      plot.setSelect({ left: low, width: high - low, top: 0, height }, false);
      return;
    }
    const full = link.full.peek();
    const move = (start.left - left) / Math.max(1, over.clientWidth);
    const moved = panned(start.range, move, full);
    if (pointers.size < 2) choose(link, moved);
    else {
      const spread = Math.max(10, Math.abs(second - first));
      const share = left / Math.max(1, over.clientWidth);
      const atMs = moved.fromMs + share * lengthOf(moved);
      choose(link, zoomed(moved, Math.max(10, start.spread) / spread, atMs, full));
    }
  });
  const release = (event: PointerEvent): void => {
    if (!pointers.delete(event.pointerId) || start === undefined) return;
    const { left, top } = placeOf(event);
    if (isSelecting && hasMoved) {
      const [low, high] = [Math.min(start.left, left), Math.max(start.left, left)];
      const [fromMs, toMs] = [plot.posToVal(low, 'x'), plot.posToVal(high, 'x')];
      plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
      choose(link, zoomed({ fromMs, toMs }, 1, fromMs, link.full.peek()));
    } else if (!hasMoved && event.type === 'pointerup') onClick({ left, top });
    isSelecting = false;
    start = undefined;
    if (pointers.size > 0) restart(event);
  };
  listen('pointerup', release);
  listen('pointercancel', release);
  listen('dblclick', () => choose(link, null));
  listen('wheel', (event) => {
    const isZoom = event.ctrlKey || event.metaKey || root.contains(document.activeElement);
    const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (!isZoom && !isSideways) return;
    event.preventDefault();
    const [shown, full] = [link.shown.peek(), link.full.peek()];
    if (isSideways) {
      choose(link, panned(shown, event.deltaX / Math.max(1, over.clientWidth), full));
      return;
    }
    const steps =
      event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY / 300 : event.deltaY;
    const factor = 2 ** Math.max(-1, Math.min(1, steps));
    choose(link, zoomed(shown, factor, plot.posToVal(placeOf(event).left, 'x'), full));
  });
  return () => ends.abort();
}

/** Does what a key means; false if it means nothing. `times` are those of the chart's points. */
export function pressKey(
  { key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent,
  link: ChartLink,
  times: readonly number[],
): boolean {
  if (ctrlKey || metaKey || altKey) return false;
  const [shown, full, cursor] = [link.shown.peek(), link.full.peek(), link.cursorMs.peek()];
  const middle = cursor ?? (shown.fromMs + shown.toMs) / 2;
  const direction = key === 'ArrowLeft' ? -1 : 1;
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    if (shiftKey) moveCursor(link, times, direction);
    else choose(link, panned(shown, direction * keyPan, full));
  } else if (key === '+' || key === '=') choose(link, zoomed(shown, keyZoom, middle, full));
  else if (key === '-') choose(link, zoomed(shown, 1 / keyZoom, middle, full));
  else if (key === '0' || key === 'Home') choose(link, null);
  else if (key === 'Escape') link.cursorMs.value = null;
  else return false;
  return true;
}

function moveCursor(link: ChartLink, times: readonly number[], direction: -1 | 1): void {
  const shown = link.shown.peek();
  const cursor = link.cursorMs.peek();
  const visible = times.filter((ms) => ms >= shown.fromMs && ms <= shown.toMs);
  const next =
    direction > 0
      ? visible.find((ms) => ms > (cursor ?? shown.toMs))
      : visible.findLast((ms) => ms < (cursor ?? Number.POSITIVE_INFINITY));
  link.cursorMs.value = next ?? visible.at(direction > 0 ? -1 : 0) ?? null;
}
