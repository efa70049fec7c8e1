/** The books after the event with our orders and their places, and the positions. */
import type { JSX } from 'preact';
import type { EventFacts } from '../../bot/debug/event-facts.ts';
import type { OwnOrder } from '../../domain/bot-status.ts';
import { SideText } from '../components/badge.tsx';
import { Card } from '../components/card.tsx';
import { Figure } from '../components/figure.tsx';
import { Ladder } from '../components/ladder.tsx';
import { Table } from '../components/table.tsx';
import { exactText } from '../format/figures.ts';

const helps = {
  exchange:
    'The book as the bot knows it after this event. The place of our orders is the true one at the exchange, which only a backtest knows.',
  'our book':
    'The book as the bot knows it after this event, with the place of our orders in it. The exchange may already be ahead.',
} as const;

type MarketProps = {
  readonly facts: EventFacts;
  readonly onOrder: (intentId: number) => void;
};

export function MarketPanels({ facts, onOrder }: MarketProps): JSX.Element {
  const { markets, placesIn, positions } = facts;
  const places = placesIn === 'exchange' ? 'places at the exchange' : 'places in our book';
  return (
    <div class="stack">
      {markets.map((market) => (
        <Card
          key={market.pair}
          title={market.pair}
          name={`book-${market.pair}`}
          help={helps[placesIn]}
          aside={places}
        >
          <Ladder {...market} problem={market.unusableReason} onOrder={onOrder} />
          <OwnOrders orders={market.ownOrders} base={market.base} onOrder={onOrder} />
        </Card>
      ))}
      <Card
        title="Positions"
        name="positions"
        help="What each strategy holds, and the least and most if its open orders fill."
      >
        <Table
          caption="Positions"
          rows={positions}
          rowKey={({ strategyId, pair }) => `${strategyId} ${pair}`}
          columns={[
            { key: 'strategy', title: 'Strategy', cell: (row) => `${row.strategyId} ${row.pair}` },
            {
              key: 'held',
              title: 'Held',
              isFigure: true,
              cell: (row) => amount(row.held, row.base),
            },
            {
              key: 'lowest',
              title: 'Least',
              isFigure: true,
              cell: (row) => amount(row.lowest),
            },
            {
              key: 'highest',
              title: 'Most',
              isFigure: true,
              cell: (row) => amount(row.highest),
            },
          ]}
        />
      </Card>
    </div>
  );
}

type OwnProps = {
  readonly orders: readonly OwnOrder[];
  readonly base: string;
  readonly onOrder: (intentId: number) => void;
};

/** Also orders that wait or are on their way, which are in no book yet. */
function OwnOrders({ orders, base, onOrder }: OwnProps): JSX.Element {
  return (
    <Table
      caption="Our orders"
      rows={orders}
      rowKey={({ intentId }) => intentId}
      onOpen={({ intentId }) => onOrder(intentId)}
      empty="No order of ours is open."
      columns={[
        { key: 'side', title: 'Ours', cell: ({ side }) => <SideText side={side} /> },
        { key: 'price', title: 'Price', isFigure: true, cell: ({ price }) => exactText(price) },
        {
          key: 'left',
          title: 'Left',
          isFigure: true,
          cell: ({ remaining }) => amount(remaining, base),
        },
        { key: 'state', title: 'State', cell: ({ state }) => state },
        {
          key: 'ahead',
          title: 'Ahead',
          isFigure: true,
          help: 'The volume that is filled before ours at its price.',
          cell: ({ aheadVolume }) => amount(aheadVolume, base),
        },
      ]}
    />
  );
}

function amount(value: string | null, base = ''): JSX.Element {
  return <Figure value={value} decimals={6} unit={base} />;
}
