/**
 * The order book around the best prices, with our own orders at their prices and their place in the
 * queue: what is filled before ours.
 */

import type { JSX } from 'preact';
import type { MarketState, OwnStop } from '../../domain/bot-status.ts';
import { drawn, exactText, roundedText } from '../format/figures.ts';
import { dateTimeText } from '../format/times.ts';
import { Empty } from './states.tsx';

export type LadderLevel = {
  readonly price: string;
  /** Of all orders, our own included. */
  readonly volume: string;
  readonly own: string;
};

export type LadderOrder = {
  readonly intentId: number;
  readonly side: 'BID' | 'ASK';
  readonly price: string;
  readonly remaining: string;
  readonly state: string;
  readonly isCancelling?: boolean;
  /** Null while the order is not in the book. */
  readonly aheadVolume: string | null;
  readonly aheadOrders: number | null;
  readonly level?: string | null;
  readonly key?: string | null;
  readonly stop?: OwnStop | null;
  readonly expiresMs?: number | null;
};

type LadderProps = Pick<
  MarketState,
  'base' | 'counter' | 'priceScale' | 'bids' | 'asks' | 'mid' | 'spreadBps'
> & {
  readonly ownOrders: readonly LadderOrder[];
  /** Why the book cannot be relied on. */
  readonly problem: string | null;
  readonly onOrder?: (intentId: number) => void;
};

export function Ladder(props: LadderProps): JSX.Element {
  const { base, counter, bids, asks, mid, spreadBps, problem } = props;
  if (bids.length === 0 && asks.length === 0)
    return <Empty>{problem === null ? 'The book is empty.' : `No book: ${problem}`}</Empty>;
  const largest = Math.max(...[...bids, ...asks].map(({ volume }) => drawn(volume)), 0);
  const rest = { ...props, largest };
  return (
    <table class="ladder">
      <caption class="unseen">Order book with our own orders</caption>
      <thead>
        <tr>
          <th scope="col">Own, place in the queue</th>
          <th scope="col" class="is-figure">
            {counter}
          </th>
          <th scope="col" class="is-figure">
            {base}
          </th>
        </tr>
      </thead>
      <tbody>
        {[...asks].reverse().map((level) => (
          <Row key={`ask ${level.price}`} level={level} side="ASK" {...rest} />
        ))}
        <tr class="ladder-mid">
          <td>{problem !== null && <span class="ink-warn">{problem}</span>}</td>
          <td class="is-figure">{mid === null ? '–' : exactText(mid)}</td>
          <td class="is-figure soft">
            {spreadBps === null ? '' : `${roundedText(spreadBps, { decimals: 2 })} bps`}
          </td>
        </tr>
        {bids.map((level) => (
          <Row key={`bid ${level.price}`} level={level} side="BID" {...rest} />
        ))}
      </tbody>
    </table>
  );
}

type RowProps = LadderProps & {
  readonly level: LadderLevel;
  readonly side: 'BID' | 'ASK';
  readonly largest: number;
};

function Row({
  level,
  side,
  largest,
  priceScale,
  base,
  ownOrders,
  onOrder,
}: RowProps): JSX.Element {
  const { price, volume, own } = level;
  const isOwn = drawn(own) > 0;
  const orders = ownOrders.filter((one) => one.side === side && isSamePrice(one.price, price));
  const width = `${largest > 0 ? (drawn(volume) / largest) * 100 : 0}%`;
  const ownWidth = `${largest > 0 ? (drawn(own) / largest) * 100 : 0}%`;
  const ink = side === 'BID' ? 'ink-buy' : 'ink-sell';
  return (
    <tr class={`ladder-row is-${side === 'BID' ? 'buy' : 'sell'} ${isOwn ? 'is-own' : ''}`}>
      <td class="ladder-own">
        {orders.map((order) => (
          <button
            key={order.intentId}
            type="button"
            class="ladder-order"
            data-tip={orderTip(order, base)}
            onClick={() => onOrder?.(order.intentId)}
          >
            <b class={ink}>{roundedText(order.remaining, { decimals: 6 })}</b> {placeText(order)}
          </button>
        ))}
      </td>
      <td class={`is-figure ladder-price ${ink}`}>
        {roundedText(price, { decimals: priceScale, isFixed: true })}
      </td>
      <td class="is-figure ladder-volume">
        <span class="ladder-bar" style={{ width }} />
        <span class="ladder-bar is-own" style={{ width: ownWidth }} />
        <span class="ladder-text" data-tip={`${exactText(volume)} ${base}, ${exactText(own)} ours`}>
          {roundedText(volume, { decimals: 4 })}
        </span>
      </td>
    </tr>
  );
}

function isSamePrice(one: string, other: string): boolean {
  return one === other || drawn(one) === drawn(other);
}

function placeText({ aheadOrders, aheadVolume, state, stop, isCancelling }: LadderOrder): string {
  if (isCancelling === true) return 'cancelling';
  if (stop?.isAwaiting === true)
    return `stop ${stop.direction === 'ABOVE' ? '≥' : '≤'} ${exactText(stop.price)}`;
  if (aheadVolume === null) return state;
  if (drawn(aheadVolume) === 0) return 'first';
  const place = aheadOrders === null ? '' : `#${aheadOrders + 1}, `;
  return `${place}${roundedText(aheadVolume, { decimals: 4 })} ahead`;
}

function orderTip(order: LadderOrder, base: string): string {
  const { intentId, remaining, state, aheadOrders, aheadVolume, stop, expiresMs } = order;
  const name = order.level ?? order.key ?? '';
  const until =
    expiresMs === null || expiresMs === undefined ? '' : ` Expires ${dateTimeText(expiresMs)} UTC.`;
  const head = `Order ${intentId}${name === '' ? '' : ` (${name})`}, ${exactText(remaining)} ${base}, ${state}.${until}`;
  if (stop?.isAwaiting === true)
    return `${head} It waits for the last trade at or ${stop.direction === 'ABOVE' ? 'above' : 'below'} ${exactText(stop.price)}.`;
  if (aheadVolume === null) return `${head} It is not in our book.`;
  const orders = aheadOrders === null ? '' : ` in ${aheadOrders} orders`;
  return `${head} Filled before it: ${exactText(aheadVolume)} ${base}${orders}.`;
}
