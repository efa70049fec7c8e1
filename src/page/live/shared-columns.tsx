/** Columns that several tables of the live page have. */
import { SideText } from '../components/badge.tsx';
import { Figure } from '../components/figure.tsx';
import type { Column } from '../components/table.tsx';
import { dateTimeText, exactTimeText } from '../format/times.ts';
import { tipOf } from '../format/tip.ts';

export function timeColumn<Row>(atMsOf: (row: Row) => number): Column<Row> {
  return {
    key: 'time',
    title: 'Time (UTC)',
    cell: (row) => (
      <time class="soft" {...tipOf(exactTimeText(atMsOf(row)))}>
        {dateTimeText(atMsOf(row))}
      </time>
    ),
    sortBy: atMsOf,
  };
}

type Traded = {
  readonly side: 'BID' | 'ASK';
  readonly pair: string;
  readonly price: string;
  readonly volume: string;
};

/** Pair, side, price and volume of an order or a fill. */
export const tradedColumns: readonly Column<Traded>[] = [
  { key: 'pair', title: 'Pair', cell: ({ pair }) => pair, sortBy: ({ pair }) => pair },
  {
    key: 'side',
    title: 'Side',
    cell: ({ side }) => <SideText side={side} />,
    sortBy: ({ side }) => side,
  },
  {
    key: 'price',
    title: 'Price',
    isFigure: true,
    cell: ({ price }) => <Figure value={price} decimals={8} />,
    sortBy: ({ price }) => price,
  },
  {
    key: 'volume',
    title: 'Volume',
    isFigure: true,
    cell: ({ volume }) => <Figure value={volume} decimals={6} />,
    sortBy: ({ volume }) => volume,
  },
];
