/** What linked charts share: the range that they show, and the time under the pointer. */
import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { inside, isSameRange, lengthOf, type TimeRange } from './time-range.ts';

export type ChartLink = {
  /** Everything there is to show. */
  readonly full: Signal<TimeRange>;
  /** The part that the user chose; null: all of it, and what will come. */
  readonly chosen: Signal<TimeRange | null>;
  /** What the charts show. */
  readonly shown: ReadonlySignal<TimeRange>;
  readonly cursorMs: Signal<number | null>;
};

export function createChartLink(full: TimeRange): ChartLink {
  const fullSignal = signal(full);
  const chosen = signal<TimeRange | null>(null);
  return {
    full: fullSignal,
    chosen,
    shown: computed(() => chosen.value ?? fullSignal.value),
    cursorMs: signal<number | null>(null),
  };
}

/** Shows `range`; all of it counts as no choice, so that the charts follow what comes. */
export function choose({ full, chosen }: ChartLink, range: TimeRange | null): void {
  const all = full.peek();
  const isAll = range === null || lengthOf(range) >= lengthOf(all);
  const next = isAll ? null : inside(range, all);
  if (!isSameRange(next, chosen.peek())) chosen.value = next;
}

/** Sets what there is to show. A chosen range that reached the end of it follows the new end. */
export function extend(link: ChartLink, full: TimeRange): void {
  const [before, chosen] = [link.full.peek(), link.chosen.peek()];
  if (isSameRange(before, full)) return;
  batch(() => {
    link.full.value = full;
    if (chosen === null) return;
    const isAtEnd = before.toMs - chosen.toMs < lengthOf(chosen) / 200;
    const move = isAtEnd ? full.toMs - chosen.toMs : 0;
    choose(link, { fromMs: chosen.fromMs + move, toMs: chosen.toMs + move });
  });
}
