/**
 * What a reader has chosen on a page: range of the charts, place of scrolling, opened parts. The
 * tab keeps it, so that it survives a reload, and the next run in `millrace dev`.
 */
import { effect } from '@preact/signals';
import { oncePerFrame } from '../browser/browser-time.ts';
import { keepText, keptText } from '../browser/kept-text.ts';
import { type ChartLink, choose } from '../chart/chart-link.ts';
import type { TimeRange } from '../chart/time-range.ts';

type View = {
  readonly range: TimeRange | null;
  readonly scrollY: number;
  /** The summaries of opened parts. */
  readonly open: readonly string[];
};

/** Restores the view that was kept by `key`, and keeps it from now on; the result ends that. */
export function keepView(key: string, link: ChartLink): () => void {
  const before = viewIn(keptText('tab', key));
  const { from, to } = { from: link.full.peek().fromMs, to: link.full.peek().toMs };
  if (before?.range && before.range.fromMs < to && before.range.toMs > from)
    choose(link, before.range);
  for (const part of document.querySelectorAll('details'))
    if (before?.open.includes(nameOf(part)) === true) part.open = true;
  if (before !== undefined) scrollTo({ top: before.scrollY, behavior: 'instant' });

  const ends = new AbortController();
  const keep = oncePerFrame(() => {
    if (ends.signal.aborted) return;
    const open = [...document.querySelectorAll('details')].filter((part) => part.open).map(nameOf);
    const view: View = { range: link.chosen.peek(), scrollY: window.scrollY, open };
    keepText('tab', key, JSON.stringify(view));
  });
  addEventListener('scroll', keep, { signal: ends.signal, passive: true });
  document.addEventListener('toggle', keep, { signal: ends.signal, capture: true });
  const endEffect = effect(() => {
    // Read for the effect to run again.
    link.chosen.value;
    keep();
  });
  return () => {
    ends.abort();
    endEffect();
  };
}

function nameOf(part: HTMLDetailsElement): string {
  return part.querySelector('summary')?.textContent ?? '';
}

function viewIn(text: string | undefined): View | undefined {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as View;
  } catch {
    return undefined;
  }
}
