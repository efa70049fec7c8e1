/** The parts of the view, each made of a status: reasons, markets, orders and so on. */
import {
  type BotStatus,
  type FillState,
  type LimitUse,
  type MarketState,
  nameOfOrder,
  type OwnOrder,
  type StrategyState,
} from '../../domain/bot-status.ts';
import { Decimal } from '../../domain/money.ts';
import { blockVerb, type Remedy } from '../../domain/trading-block.ts';
import { durationText } from '../../domain/unit-text.ts';
import { wrapped } from './cells.ts';
import { cutLine, piece, type Style, type StyledLine } from './styled-line.ts';
import { type Column, headingLine, tableLines } from './table.ts';

const barCells = 10;

function clockText(atMs: number): string {
  return new Date(atMs).toISOString().slice(11, 19);
}

function ageText(ms: number): string {
  return durationText(ms < 60_000 ? Math.floor(ms / 1_000) * 1_000 : ms);
}

/** Returns the first line: which bot, whether it trades, and the time. */
export function headerPieces(status: BotStatus): {
  readonly left: StyledLine;
  readonly right: StyledLine;
} {
  const { bot, mode, ordersGoTo, state, stopping, strategies, notTrading, atMs } = status;
  const states: Readonly<Record<BotStatus['state'], Style>> = {
    ACTIVE: 'green',
    REDUCING: 'yellow',
    HALTED: 'red',
  };
  const trading = strategies.length - notTrading.filter(({ only }) => only === undefined).length;
  const isQuiet = trading < strategies.length;
  const trades = isQuiet ? `${trading} of ${strategies.length} trade` : 'trades';
  return {
    left: [
      piece(bot, 'bold'),
      piece('  '),
      stopping === null ? piece(state, states[state]) : piece('STOPPING', 'yellow'),
      piece(`  ${trades}`, isQuiet ? 'yellow' : 'plain'),
      piece(
        `  ${mode}, ${ordersGoTo === 'replay' ? 'no order leaves' : `orders go to the ${ordersGoTo}`}`,
      ),
    ],
    right: [piece(`up ${ageText(atMs - status.startedMs)}  ${clockText(atMs)}`)],
  };
}

/** Returns why strategies do not trade, since when, and what ends it; and which feeds are stale. */
export function reasonLines(
  { states, notTrading, feeds, stopping, atMs }: BotStatus,
  cells: number,
  commandOf: (remedy: Remedy) => string,
): readonly StyledLine[] {
  const since = (ms: number) => `since ${clockText(ms)} (${ageText(Math.max(0, atMs - ms))})`;
  const said = new Set(notTrading.map(({ kind }) => kind));
  const closed = said.has('halted') || said.has('reducing') ? [] : states;
  const isSaid = (name: string) =>
    notTrading.some(({ reason }) => reason.startsWith(`feed ${name} `));
  const texts = [
    ...(stopping === null ? [] : [`it stops: ${stopping}`]),
    ...closed.map(({ scope, state, reason, sinceMs }) => {
      const remedy = commandOf({ command: 'resume', scope });
      return `${scope} is ${state} ${since(sinceMs)}: ${reason}; to resume${remedy}`;
    }),
    ...notTrading.map((block) => {
      const { strategyId, pair, reason, ends, remedy, sinceMs } = block;
      const who = `${strategyId} ${pair} ${blockVerb(block)}`;
      const command = remedy === undefined ? '' : commandOf(remedy);
      return `${who} ${since(sinceMs)}: ${reason}; ends ${ends}${command}`;
    }),
    ...feeds.flatMap(({ name, problem }) => (problem === null || isSaid(name) ? [] : [problem])),
  ];
  return texts.flatMap((text) =>
    wrapped(piece(text).text, cells).map((line) => [piece(line, 'yellow')]),
  );
}

const marketColumns: readonly Column<MarketState>[] = [
  { heading: 'market', align: 'left', rank: 0, textOf: ({ pair }) => pair },
  { heading: 'mid', align: 'right', rank: 1, textOf: ({ mid }) => mid ?? '-' },
  {
    heading: 'spread',
    align: 'right',
    rank: 2,
    textOf: ({ spreadBps }) => (spreadBps === null ? '-' : `${spreadBps.toFixed(1)} bps`),
  },
  { heading: 'bid', align: 'right', rank: 3, textOf: ({ bid }) => bid ?? '-' },
  { heading: 'ask', align: 'right', rank: 4, textOf: ({ ask }) => ask ?? '-' },
  {
    heading: 'last trade',
    align: 'right',
    rank: 6,
    textOf: ({ lastTrade }) =>
      lastTrade === null ? '' : `${lastTrade.price} at ${clockText(lastTrade.atMs)}`,
  },
  {
    heading: 'book',
    align: 'left',
    rank: 5,
    textOf: ({ unusableReason, bookAgeMs }) =>
      unusableReason ?? (bookAgeMs === null ? '' : `${(bookAgeMs / 1_000).toFixed(1)}s old`),
    styleOf: ({ isUsable }) => (isUsable ? 'plain' : 'red'),
  },
];

export function marketLines({ markets }: BotStatus, cells: number): readonly StyledLine[] {
  return tableLines(marketColumns, markets, cells);
}

type PlacedOrder = OwnOrder & { readonly pair: string; readonly isOnly: boolean };

const orderColumns: readonly Column<PlacedOrder>[] = [
  {
    heading: 'own orders',
    align: 'left',
    rank: 0,
    textOf: ({ side, pair, isOnly }) => (isOnly ? side : `${side} ${pair}`),
    styleOf: ({ side }) => (side === 'BID' ? 'green' : 'red'),
  },
  { heading: 'price', align: 'right', rank: 1, textOf: ({ price }) => price },
  { heading: 'volume left', align: 'right', rank: 3, textOf: ({ remaining }) => short(remaining) },
  { heading: 'ahead in queue', align: 'right', rank: 2, textOf: queueText },
  { heading: 'state', align: 'left', rank: 5, textOf: stateText },
  { heading: 'level', align: 'left', rank: 6, textOf: nameOfOrder },
  { heading: 'strategy', align: 'left', rank: 7, textOf: ({ strategyId }) => strategyId },
  { heading: 'order', align: 'right', rank: 4, textOf: ({ intentId }) => String(intentId) },
];

function queueText({ aheadVolume, aheadOrders }: OwnOrder): string {
  if (aheadVolume === null) return '-';
  if (aheadOrders === 0) return 'first';
  return aheadOrders === null ? short(aheadVolume) : `${short(aheadVolume)} in ${aheadOrders}`;
}

function stateText({ state, isCancelling, stop }: OwnOrder): string {
  if (isCancelling) return 'cancelling';
  return stop?.isAwaiting === true ? `stop ${stop.price}` : state;
}

/** Every own order, the highest price first. */
export function orderLines({ markets }: BotStatus, cells: number): readonly StyledLine[] {
  const orders = markets.flatMap(({ pair, ownOrders }) =>
    ownOrders
      .map((order) => ({ ...order, pair, isOnly: markets.length === 1 }))
      .sort((a, b) => new Decimal(b.price).comparedTo(a.price)),
  );
  if (orders.length === 0) return [headingLine('no own orders', cells)];
  return tableLines(orderColumns, orders, cells);
}

const strategyColumns: readonly Column<StrategyState>[] = [
  { heading: 'strategy', align: 'left', rank: 0, textOf: ({ strategyId }) => strategyId },
  { heading: 'pair', align: 'left', rank: 6, textOf: ({ pair }) => pair },
  {
    heading: 'position',
    align: 'right',
    rank: 1,
    textOf: ({ position, base }) => `${short(position)} ${base}`,
  },
  {
    heading: 'profit',
    align: 'right',
    rank: 2,
    textOf: ({ profit, counter }) => (profit === null ? '-' : `${rounded(profit)} ${counter}`),
    styleOf: ({ profit }) =>
      profit === null || /^-?[0.]+$/u.test(profit)
        ? 'plain'
        : profit.startsWith('-')
          ? 'red'
          : 'green',
  },
  ...(
    [
      ['= spread', 'spread'],
      ['- fees', 'fees'],
      ['+ inventory', 'inventory'],
    ] as const
  ).map(([heading, part]): Column<StrategyState> => {
    return {
      ...{ heading, align: 'right', rank: 4 },
      textOf: ({ profitParts }) => (profitParts === null ? '-' : rounded(profitParts[part])),
    };
  }),
  {
    ...{ heading: 'fills', align: 'right', rank: 3 },
    textOf: ({ fills, profitParts }) =>
      profitParts === null || profitParts.fillsWithoutMid === 0
        ? String(fills)
        : `${fills} (${profitParts.fillsWithoutMid} without mid)`,
  },
  {
    heading: 'quoted',
    align: 'right',
    rank: 5,
    textOf: ({ presence }) =>
      presence.seconds === 0 ? '' : `${Math.floor(presence.bothQuoted * 100)} %`,
  },
  {
    heading: 'state',
    align: 'left',
    rank: 7,
    textOf: ({ status, note }) =>
      status === 'running' ? (note ?? '') : `${status}${note === null ? '' : `: ${note}`}`,
    styleOf: ({ status }) => (status === 'failed' ? 'red' : 'plain'),
  },
];

export function strategyLines({ strategies }: BotStatus, cells: number): readonly StyledLine[] {
  return tableLines(strategyColumns, strategies, cells);
}

const limitColumns: readonly Column<LimitUse>[] = [
  {
    heading: 'limits',
    align: 'left',
    rank: 3,
    textOf: ({ share }) => `[${'|'.repeat(filledCells(share)).padEnd(barCells)}]`,
    styleOf: limitStyle,
  },
  {
    heading: 'used',
    align: 'right',
    rank: 0,
    textOf: ({ share }) => `${Math.floor(share * 100)} %`,
    styleOf: limitStyle,
  },
  {
    heading: 'limit',
    align: 'left',
    rank: 1,
    textOf: ({ key }) => key.replace(/^limits\./u, ''),
  },
  {
    heading: 'amount',
    align: 'left',
    rank: 2,
    textOf: ({ used, max, unit }) => `${short(used ?? '-')} of ${short(max)} ${unit}`,
  },
];

function limitStyle({ share }: LimitUse): Style {
  if (share >= 0.9) return 'red';
  return share >= 0.7 ? 'yellow' : 'plain';
}

function filledCells(share: number): number {
  return Math.min(barCells, Math.max(0, Math.floor(share * barCells)));
}

/** The `count` limits of which the largest share is used, the largest first. */
export function limitLines(
  { limits }: BotStatus,
  cells: number,
  count: number,
): readonly StyledLine[] {
  const used = limits
    // A limit of one is either unused or used up, which says nothing about how close it is.
    .filter(({ used, max, isPerOrder }) => used !== null && max !== '1' && !isPerOrder)
    .sort((a, b) => b.share - a.share)
    .slice(0, count);
  return tableLines(limitColumns, used, cells);
}

/** How many calls are left, what waits for them, and how orders went. */
export function callLines(
  { calls, latency, orders }: BotStatus,
  cells: number,
): readonly StyledLine[] {
  const { perMinute, forOrders, waits } = calls;
  const left =
    forOrders === null ? 'no limit' : `${forOrders} of ${perMinute ?? '?'} a minute left`;
  const waiting = waits.length === 0 ? 'none' : String(waits.length);
  const texts = [`calls ${left}, orders that wait: ${waiting}`, ...waits.map(({ text }) => text)];
  const answers =
    latency === null
      ? ''
      : `, answered in ${latency.p50Ms.toFixed(1)} ms (p99 ${latency.p99Ms.toFixed(1)})`;
  const unknown = orders.unknown === 0 ? '' : `, ${orders.unknown} UNKNOWN`;
  return [
    ...texts.map((text): StyledLine => [piece(text, waits.length === 0 ? 'plain' : 'yellow')]),
    [piece(`orders accepted ${orders.accepted}, rejected ${orders.rejected}${unknown}${answers}`)],
  ].map((line) => cutLine(line, cells));
}

const fillColumns: readonly Column<FillState>[] = [
  { heading: 'fills', align: 'left', rank: 1, textOf: ({ tradedMs }) => clockText(tradedMs) },
  {
    heading: '',
    align: 'left',
    rank: 0,
    textOf: ({ side }) => (side === 'BID' ? 'bought' : 'sold'),
    styleOf: ({ side }) => (side === 'BID' ? 'green' : 'red'),
  },
  { heading: 'volume', align: 'right', rank: 0, textOf: ({ volume }) => short(volume) },
  { heading: 'pair', align: 'left', rank: 6, textOf: ({ pair }) => pair },
  { heading: 'price', align: 'right', rank: 0, textOf: ({ price }) => price },
  {
    heading: 'fee',
    align: 'right',
    rank: 2,
    textOf: ({ fee, feeCurrency }) => `${short(fee)} ${feeCurrency}`,
  },
  { heading: '', align: 'left', rank: 4, textOf: ({ isMaker }) => (isMaker ? 'maker' : 'taker') },
  { heading: 'strategy', align: 'left', rank: 5, textOf: ({ strategyId }) => strategyId },
  { heading: 'order', align: 'right', rank: 3, textOf: ({ intentId }) => String(intentId) },
];

/** The newest fills, newest first. */
export function fillLines({ fills }: BotStatus, cells: number): readonly StyledLine[] {
  if (fills.length === 0) return [headingLine('no fills yet', cells)];
  return tableLines(fillColumns, fills, cells);
}

/** Returns an amount of money as far as a glance takes it in. */
function rounded(amount: string): string {
  const value = new Decimal(amount);
  return value.abs().lessThan(1) ? value.toSignificantDigits(3).toFixed() : value.toFixed(2);
}

/** Returns a decimal without zeros at its end. */
function short(amount: string): string {
  return amount.includes('.') ? amount.replace(/\.?0+$/u, '') : amount;
}
