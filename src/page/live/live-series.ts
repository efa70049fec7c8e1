/** What the charts of a pair draw of its columns. */
import type { ChartSeries } from '../chart/chart-series.ts';
import { roundedText } from '../format/figures.ts';
import type { Columns } from './live-columns.ts';

const money = (value: number): string =>
  roundedText(value, { decimals: 2, isFixed: true, isSigned: true });

export function priceSeries({ bid, ask, ownBid, ownAsk }: Columns): readonly ChartSeries[] {
  return [
    { label: 'Bid', ink: 'soft', shape: 'steps', values: bid },
    { label: 'Ask', ink: 'soft', shape: 'steps', isDashed: true, values: ask },
    { label: 'Own bid', ink: 'buy', shape: 'steps', width: 1.5, values: ownBid },
    { label: 'Own ask', ink: 'sell', shape: 'steps', width: 1.5, values: ownAsk },
  ];
}

export function profitSeries({ profit, spread, fees, inventory }: Columns): readonly ChartSeries[] {
  return [
    { label: 'Profit', ink: 'accent', shape: 'steps', width: 1.75, values: profit, text: money },
    { label: 'Spread', ink: 'series-4', shape: 'steps', values: spread, text: money },
    { label: 'Inventory', ink: 'series-2', shape: 'steps', values: inventory, text: money },
    {
      label: 'Fees (paid)',
      ink: 'series-3',
      shape: 'steps',
      values: fees.map((fee) => (fee === null ? null : -fee)),
      text: money,
    },
  ];
}

export function positionSeries({ position }: Columns): readonly ChartSeries[] {
  return [{ label: 'Position', ink: 'accent', shape: 'area', values: position }];
}
