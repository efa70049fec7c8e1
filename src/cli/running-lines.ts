/** Formats what only a running bot knows of itself, for `status`. */
import {
  type BotStatus,
  type FeedStatus,
  type LimitUse,
  nameOfOrder,
  type OwnOrder,
  type SeriesState,
  type StrategyParameters,
  type StrategyState,
} from '../domain/bot-status.ts';
import { reachText } from '../domain/limit-order.ts';

/** A limit is listed from this share of it on. */
const shareListedMin = 0.8;

/**
 * Returns a line for each order, strategy, parameter that was set, metric, plot, feed and nearly
 * used limit, and for calls and latency.
 */
export function runningLines(status: BotStatus): readonly string[] {
  const { markets, strategies, parameters, series, feeds, limits, calls, latency } = status;
  const used = limits.filter(({ share }) => share >= shareListedMin);
  return [
    ...markets.flatMap(({ pair, ownOrders }) => ownOrders.map((order) => orderLine(pair, order))),
    ...strategies.flatMap(strategyLines),
    ...parameters.flatMap(setLines),
    ...series.map(seriesLine),
    ...feeds.map((feed) => feedLine(feed, status.atMs)),
    ...used.map(limitLine),
    ...(calls.forOrders === null ? [] : [`calls      ${calls.forOrders} left for new orders`]),
    ...(latency === null
      ? []
      : [
          `latency    p50 ${latency.p50Ms} ms, p95 ${latency.p95Ms} ms, p99 ${latency.p99Ms} ms, of ${latency.attempts} orders`,
        ]),
  ];
}

function seriesLine(series: SeriesState): string {
  const { strategyId, kind, name, pair, last, min, max, count, leftOut } = series;
  // Not money: figures of a strategy.
  const [shown, low, high] = [last, min, max].map((value) => Number(value.toPrecision(6)));
  const left = leftOut === 0 ? '' : `, ${leftOut} left out`;
  return (
    `${kind.padEnd(10)} ${strategyId}${pair === null ? '' : ` ${pair}`} ${name}: ${shown} ` +
    `(lowest ${low}, highest ${high}, ${count} values${left})`
  );
}

function feedLine({ name, values, receivedMs, problem }: FeedStatus, atMs: number): string {
  const shown = Object.entries(values ?? {}).map(([field, value]) =>
    field === 'value' ? value : `${field} ${value}`,
  );
  const age = `${Math.max(0, Math.round((atMs - (receivedMs ?? atMs)) / 1_000))} s ago`;
  const said = problem?.replace(`feed ${name} `, '') ?? '';
  const last =
    shown.length === 0 ? '' : `${said === '' ? '' : '; last '}${shown.join(', ')}, ${age}`;
  return `feed       ${name}: ${said}${last}`;
}

function orderLine(pair: string, order: OwnOrder): string {
  const { state, strategyId, side, remaining, price, aheadVolume, aheadOrders } = order;
  const place =
    aheadVolume === null
      ? ''
      : aheadOrders === 0
        ? ', first at its price'
        : `, behind ${aheadVolume}${aheadOrders === null ? '' : ` in ${aheadOrders} orders`} at its price`;
  const name = `${strategyId} ${nameOfOrder(order)}`.trimEnd();
  return `order      ${state} ${name} ${pair} ${side} ${remaining} at ${price}${place}${conditionsOf(order)}`;
}

/** What an order waits for, and when it expires. A bot of an older version says neither. */
function conditionsOf({ stop, expiresMs }: Partial<OwnOrder>): string {
  const waits =
    stop?.isAwaiting === true
      ? `, waits for the last trade ${reachText(stop.direction)} ${stop.price}`
      : '';
  const until =
    expiresMs === null || expiresMs === undefined
      ? ''
      : `, expires at ${new Date(expiresMs).toISOString()}`;
  return `${waits}${until}`;
}

function strategyLines(state: StrategyState): readonly string[] {
  const { strategyId, pair, base, counter, position, profit, fees, presence } = state;
  const name = `${strategyId} ${pair}`;
  if (state.onlyWatches === true) return [`watches    ${name}`];
  const money =
    profit === null || fees === null
      ? 'profit not known without a mid'
      : `profit ${rounded(profit)} ${counter} after fees of ${rounded(fees)}`;
  const { bidQuoted, askQuoted, bidAtTouch, askAtTouch, seconds } = presence;
  const shares = [bidQuoted, askQuoted, bidAtTouch, askAtTouch].map(
    (share) => `${Math.round(share * 100)} %`,
  );
  const [bids, asks, bidsAtTouch, asksAtTouch] = shares;
  return [
    `position   ${name}: ${position} ${base}, ${money}`,
    `quoted     ${name}: bid ${bids} and ask ${asks} of ${Math.round(seconds)} s, at the best price ${bidsAtTouch} and ${asksAtTouch}`,
  ];
}

function setLines({ strategyId, parameters }: StrategyParameters): readonly string[] {
  return parameters.flatMap(({ name, value, changed }) => {
    if (changed === null) return [];
    const { was, by, reason } = changed;
    const who = by === '' ? '' : `, by ${by}`;
    return [`set        ${strategyId} ${name}: ${value}, in the file ${was} (${reason}${who})`];
  });
}

/** Amounts have many decimals; two are shown, cut off. */
function rounded(amount: string): string {
  const point = amount.indexOf('.');
  return point === -1 ? amount : amount.slice(0, point + 3);
}

function limitLine({ key, scope, used, max, unit }: LimitUse): string {
  return `limit      ${key} of ${scope}: ${used} of ${max} ${unit} in use`;
}
