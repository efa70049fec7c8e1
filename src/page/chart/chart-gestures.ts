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

type Place = { readonly left: number; readonly top: number };

/** Connects the gestures; the result disconnects them. `onClick` gets the place in the plot. */
export function connectGestures(
  plot: uPlot,
  link: ChartLink,
  onClick: (place: Place) => void,
): () => void {
  const gestures = new Gestures(plot, link, onClick);
  return () => gestures.end();
}

class Gestures {
  readonly #plot: uPlot;
  readonly #link: ChartLink;
  readonly #onClick: (place: Place) => void;
  readonly #ends = new AbortController();
  /** Where each finger, or the mouse, is. */
  readonly #pointers = new Map<number, number>();
  #start: { range: TimeRange; left: number; top: number; spread: number } | undefined;
  #isSelecting = false;
  #hasMoved = false;

  constructor(plot: uPlot, link: ChartLink, onClick: (place: Place) => void) {
    this.#plot = plot;
    this.#link = link;
    this.#onClick = onClick;
    this.#listen('pointerdown', (event) => this.#press(event));
    this.#listen('pointermove', (event) => this.#move(event));
    this.#listen('pointerup', (event) => this.#release(event));
    this.#listen('pointercancel', (event) => this.#release(event));
    this.#listen('dblclick', () => choose(link, null));
    this.#listen('wheel', (event) => this.#turnWheel(event));
  }

  end(): void {
    this.#ends.abort();
  }

  #listen<Name extends keyof HTMLElementEventMap>(
    name: Name,
    run: (event: HTMLElementEventMap[Name]) => void,
  ): void {
    const { signal } = this.#ends;
    this.#plot.over.addEventListener(name, run, { signal, passive: false });
  }

  #press(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.#plot.over.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, this.#placeOf(event).left);
    this.#isSelecting = event.shiftKey && this.#pointers.size === 1;
    this.#hasMoved = this.#pointers.size > 1;
    this.#restart(event);
  }

  #move(event: PointerEvent): void {
    const start = this.#start;
    if (start === undefined || !this.#pointers.has(event.pointerId)) return;
    this.#pointers.set(event.pointerId, this.#placeOf(event).left);
    const { left, spread } = this.#grip();
    if (Math.abs(left - start.left) > clickReach || this.#pointers.size > 1) this.#hasMoved = true;
    if (!this.#hasMoved) return;
    const { over } = this.#plot;
    if (this.#isSelecting) {
      const [low, high] = [Math.min(start.left, left), Math.max(start.left, left)];
      const height = over.clientHeight;
      this.#plot.setSelect({ left: low, width: high - low, top: 0, height }, false);
      return;
    }
    const full = this.#link.full.peek();
    const move = (start.left - left) / Math.max(1, over.clientWidth);
    const moved = panned(start.range, move, full);
    if (this.#pointers.size < 2) choose(this.#link, moved);
    else {
      const share = left / Math.max(1, over.clientWidth);
      const atMs = moved.fromMs + share * lengthOf(moved);
      const factor = Math.max(10, start.spread) / Math.max(10, spread);
      choose(this.#link, zoomed(moved, factor, atMs, full));
    }
  }

  #release(event: PointerEvent): void {
    const start = this.#start;
    if (!this.#pointers.delete(event.pointerId) || start === undefined) return;
    const { left, top } = this.#placeOf(event);
    if (this.#isSelecting && this.#hasMoved) {
      const [low, high] = [Math.min(start.left, left), Math.max(start.left, left)];
      const [fromMs, toMs] = [this.#plot.posToVal(low, 'x'), this.#plot.posToVal(high, 'x')];
      this.#plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
      choose(this.#link, zoomed({ fromMs, toMs }, 1, fromMs, this.#link.full.peek()));
    } else if (!this.#hasMoved && event.type === 'pointerup') this.#onClick({ left, top });
    this.#isSelecting = false;
    this.#start = undefined;
    if (this.#pointers.size > 0) this.#restart(event);
  }

  #turnWheel(event: WheelEvent): void {
    const { over, root } = this.#plot;
    const isZoom = event.ctrlKey || event.metaKey || root.contains(document.activeElement);
    const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (!isZoom && !isSideways) return;
    event.preventDefault();
    const [shown, full] = [this.#link.shown.peek(), this.#link.full.peek()];
    if (isSideways) {
      choose(this.#link, panned(shown, event.deltaX / Math.max(1, over.clientWidth), full));
      return;
    }
    const steps =
      event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY / 300 : event.deltaY;
    const factor = 2 ** Math.max(-1, Math.min(1, steps));
    const atMs = this.#plot.posToVal(this.#placeOf(event).left, 'x');
    choose(this.#link, zoomed(shown, factor, atMs, full));
  }

  #restart(event: PointerEvent): void {
    const { top } = this.#placeOf(event);
    this.#start = { range: this.#link.shown.peek(), top, ...this.#grip() };
  }

  /** The middle of the first two pointers, and how far apart they are. */
  #grip(): { readonly left: number; readonly spread: number } {
    const [first = 0, second = first] = [...this.#pointers.values()];
    return { left: (first + second) / 2, spread: Math.abs(second - first) };
  }

  #placeOf(event: MouseEvent): Place {
    const rect = this.#plot.over.getBoundingClientRect();
    return { left: event.clientX - rect.left, top: event.clientY - rect.top };
  }
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
