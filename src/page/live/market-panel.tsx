/** The ladder of a pair with own orders, and how old the book is. */
import type { JSX } from 'preact';
import type { MarketState } from '../../domain/bot-status.ts';
import { SideText } from '../components/badge.tsx';
import { Card, Fact, Facts } from '../components/card.tsx';
import { Figure } from '../components/figure.tsx';
import { Ladder } from '../components/ladder.tsx';
import { clockText, durationText } from '../format/times.ts';

type PanelProps = {
  readonly market: MarketState;
  readonly onOrder: (intentId: number) => void;
};

export function MarketPanel({ market, onOrder }: PanelProps): JSX.Element {
  const { pair, counter, priceScale, bookAgeMs, lastTrade, unusableReason, isUsable } = market;
  return (
    <Card
      title={`${pair}: book`}
      name="ladder"
      help={[
        'Own orders stand at the left of their price with what rests, their place in the queue and',
        'the volume that is filled before them. A press on one shows its story.',
      ].join(' ')}
      aside={bookAgeMs === null ? 'no book' : `heard ${durationText(bookAgeMs)} ago`}
    >
      <Facts>
        <Fact name={`Bid (${counter})`}>
          <Figure value={market.bid} decimals={priceScale} />
        </Fact>
        <Fact name={`Ask (${counter})`}>
          <Figure value={market.ask} decimals={priceScale} />
        </Fact>
        <Fact name="Last trade">
          {lastTrade === null ? (
            <Figure value={null} />
          ) : (
            <span class="last-trade">
              <Figure value={lastTrade.price} decimals={priceScale} />{' '}
              <small>
                <SideText side={lastTrade.side} /> {clockText(lastTrade.atMs)}
              </small>
            </span>
          )}
        </Fact>
      </Facts>
      <Ladder
        {...market}
        problem={isUsable ? null : (unusableReason ?? 'the book is unusable')}
        onOrder={onOrder}
      />
    </Card>
  );
}
