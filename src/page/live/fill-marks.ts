/** Fills as marks of a chart, coloured by what the mid did after them. */
import type { FillsAnswer } from '../../dashboard/api/history-answers.ts';
import type { ChartMark } from '../chart/chart-series.ts';
import { numberText, roundedText } from '../format/figures.ts';

export const markoutHorizons = {
  markout1s: '1 s',
  markout10s: '10 s',
  markout60s: '1 min',
  markout300s: '5 min',
} as const;
export type MarkoutHorizon = keyof typeof markoutHorizons;

type FillColumns = FillsAnswer['columns'];

export function fillMarks(
  columns: FillColumns | undefined,
  horizon: MarkoutHorizon,
): readonly ChartMark[] {
  if (columns === undefined) return [];
  return columns.timesMs.map((atMs, index): ChartMark => {
    const markout = columns[horizon][index] ?? null;
    const isBid = columns.isBid[index] === true;
    return {
      atMs,
      value: columns.price[index] ?? null,
      shape: isBid ? 'up' : 'down',
      ink: markout === null || markout === 0 ? 'soft' : markout > 0 ? 'good' : 'bad',
      text: fillText(columns, index, horizon),
      id: columns.intentId[index] ?? 0,
    };
  });
}

function fillText(columns: FillColumns, index: number, horizon: MarkoutHorizon): string {
  const count = columns.count[index] ?? 1;
  const verb = columns.isBid[index] === true ? 'bought' : 'sold';
  const volume = numberText(columns.volume[index] ?? 0);
  const price = numberText(columns.price[index] ?? 0);
  const role = columns.isMaker[index] === true ? 'maker' : 'taker';
  const markout = columns[horizon][index] ?? null;
  const move =
    markout === null
      ? 'the mid after it is not known'
      : `mid after ${markoutHorizons[horizon]}: ${roundedText(markout, { decimals: 2, isSigned: true })} bps`;
  const what = count === 1 ? '' : `${count} fills together: `;
  return `${what}${verb} ${volume} at ${price} as ${role}, order ${columns.intentId[index]}, ${move}`;
}
