/** Fills, refusals and orders of a result as a chart draws them. */
import type { PageMarket, PageMarks } from '../../backtest/report/page-data.ts';
import type { ChartMark, ChartSpan } from '../chart/chart-series.ts';
import { drawn } from '../format/figures.ts';

export type DrawnMarks = {
  /** In order of time. */
  readonly marks: readonly ChartMark[];
  readonly spans: readonly ChartSpan[];
};

export function drawnMarksOf({ marks, base, counter }: PageMarket): DrawnMarks {
  const fills = fillMarks(marks, base, counter);
  const refusals = refusalMarks(marks);
  return {
    marks: [...fills, ...refusals].sort((a, b) => a.atMs - b.atMs),
    spans: orderSpans(marks, base, counter),
  };
}

function fillMarks({ fills, texts }: PageMarks, base: string, counter: string): ChartMark[] {
  return fills.atMs.map((atMs, index) => {
    const isBid = fills.isBid[index] === 1;
    const price = fills.price[index] ?? '';
    const fees = [
      [fills.feeBase[index], base],
      [fills.feeCounter[index], counter],
    ].filter(([fee]) => fee !== undefined && drawn(fee) !== 0);
    const fee = fees.length === 0 ? '0' : fees.map((one) => one.join(' ')).join(', ');
    const reason = texts[fills.reason[index] ?? -1] ?? '';
    return {
      atMs,
      value: drawn(price),
      shape: isBid ? 'up' : 'down',
      ink: isBid ? 'buy' : 'sell',
      text:
        `${isBid ? 'bought' : 'sold'} ${fills.volume[index]} ${base} at ${price} ${counter} ` +
        `as ${fills.isMaker[index] === 1 ? 'maker' : 'taker'}, fee ${fee}; ` +
        `order ${fills.order[index]} of ${texts[fills.strategy[index] ?? -1]}: ${reason}`,
      id: fills.order[index] ?? index,
    };
  });
}

function refusalMarks({ refusals, texts }: PageMarks): ChartMark[] {
  return refusals.atMs.map((atMs, index) => ({
    atMs,
    value: null,
    shape: 'cross',
    ink: 'warn',
    text: `refused for ${texts[refusals.strategy[index] ?? -1]}: ${texts[refusals.reason[index] ?? -1]}`,
  }));
}

function orderSpans({ orders, texts }: PageMarks, base: string, counter: string): ChartSpan[] {
  return orders.fromMs.map((fromMs, index) => {
    const isBid = orders.isBid[index] === 1;
    const price = orders.price[index] ?? '';
    return {
      fromMs,
      toMs: orders.toMs[index] ?? null,
      value: drawn(price),
      ink: isBid ? 'buy' : 'sell',
      text:
        `order ${orders.order[index]} of ${texts[orders.strategy[index] ?? -1]}: ` +
        `${isBid ? 'bid' : 'ask'} for ${orders.volume[index]} ${base} at ${price} ${counter}, ` +
        `${texts[orders.state[index] ?? -1]}: ${texts[orders.reason[index] ?? -1]}`,
    };
  });
}

/** Says what the chart leaves out; nothing if it has everything. */
export function leftOutText({ fills, orders, refusals }: PageMarks): string | undefined {
  const texts = [
    ['fills', fills.atMs.length, fills.all],
    ['orders', orders.fromMs.length, orders.all],
    ['refusals', refusals.atMs.length, refusals.all],
  ] as const;
  const left = texts
    .filter(([, shown, all]) => shown < all)
    .map(([name, shown, all]) => `${shown} of ${all} ${name}`);
  if (left.length === 0) return undefined;
  return `The chart has ${left.join(', ')}, spread evenly, and of the fills those at the lowest and highest prices. The JSON file has all of them.`;
}
