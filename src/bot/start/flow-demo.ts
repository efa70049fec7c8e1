/**
 * For `--flow DIR`: reads recorded order flow from a folder, and derives the market, the deposits
 * and the bot settings that it needs.
 *
 *     DIR/snapshot.json.gz, DIR/events.ndjson.gz ─▶ rows in the scales that the recording needs
 *
 * The pair is named after the recorded exchange, with ZAR as counter currency: `SSEZAR` for SSE.
 * Its prices are the recorded numbers, whatever their currency was.
 */

import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ConfigError } from '../../domain/errors.ts';
import { formatLots, formatTicks, type Market } from '../../domain/market.ts';
import { Decimal, formatDecimal } from '../../domain/money.ts';
import { lotsOf, ticksOf } from '../../domain/ticks-and-lots.ts';
import type { OrderFlowRow } from '../../market/flow/order-flow-row.ts';
import type { RestingOrder } from '../../recording/file/flow-item.ts';
import { type FlowProfile, profileOrderFlow } from '../../recording/import/order-flow-profile.ts';
import { OrderFlowReader, readFlowSnapshot } from '../../recording/import/order-flow-reader.ts';
import { type CommandPlace, millraceCommand, quoted } from '../../terminal/command-hints.ts';

const counter = 'ZAR';
const defaultBase = 'FLOW';

export type OrderFlow = {
  readonly recording: {
    /** SHA-256 of both files, as hexadecimal text. */
    readonly digest: string;
    /** The orders in the book before the first row. */
    readonly resting: readonly RestingOrder[];
    readonly rows: readonly OrderFlowRow[];
  };
  readonly market: Market;
  readonly profile: FlowProfile;
};

function filesIn(folder: string): { readonly snapshot: string; readonly events: string } {
  const files = {
    snapshot: join(folder, 'snapshot.json.gz'),
    events: join(folder, 'events.ndjson.gz'),
  };
  for (const path of Object.values(files))
    if (!existsSync(path))
      throw new ConfigError(
        `--flow ${folder}: there is no ${basename(path)}; recorded order flow is a folder with snapshot.json.gz and events.ndjson.gz`,
      );
  return files;
}

/** Returns the profile of a recording, without its rows. Throws ConfigError or DecodeError. */
export async function profileFlowFolder(folder: string): Promise<FlowProfile> {
  return profileOrderFlow(filesIn(folder));
}

/**
 * Reads the whole recording into memory. Throws ConfigError if a file is missing, DecodeError if
 * one is malformed.
 */
export async function loadOrderFlow(folder: string): Promise<OrderFlow> {
  const files = filesIn(folder);
  const profile = await profileOrderFlow(files);
  const market = flowMarketOf(profile);
  const resting = await readFlowSnapshot(files.snapshot, market);
  const rows = [];
  for await (const batch of new OrderFlowReader(files.events, market).batches())
    for (const row of batch) rows.push(row);
  return { recording: { digest: profile.digest, resting, rows }, market, profile };
}

function flowMarketOf(profile: FlowProfile): Market {
  const named = /^[A-Z][A-Z0-9]{1,9}$/u.exec(profile.venue.split(' ')[0] ?? '')?.[0];
  const base = named === undefined || named === counter ? defaultBase : named;
  return {
    pair: `${base}${counter}`,
    base,
    counter,
    priceScale: profile.priceScale,
    volumeScale: profile.volumeScale,
    feeScale: 8,
    priceMin: ticksOf(1),
    priceMax: ticksOf(profile.priceHighest * 10),
    volumeMin: lotsOf(1),
    volumeMax: lotsOf(profile.volumeHighest * 10),
    status: 'ACTIVE',
  };
}

/** Returns what a user needs to trade in the market, by currency. */
export function flowDepositsOf({ market, profile }: OrderFlow): Readonly<Record<string, string>> {
  const sizes = sizesOf(market, profile);
  return { [market.base]: sizes.base(1000), [market.counter]: sizes.value(1000) };
}

/** Returns functions for multiples of a typical order volume and of its value at the beginning. */
function sizesOf(market: Market, profile: FlowProfile) {
  const size = new Decimal(formatLots(lotsOf(profile.orderVolume), market));
  const price = new Decimal(formatTicks(ticksOf(profile.bestAsk), market));
  const amount = (value: Decimal) => formatDecimal(value.toDecimalPlaces(2, Decimal.ROUND_UP));
  return {
    base: (count: number) => formatDecimal(size.times(count)),
    value: (count: number) => amount(size.times(price).times(count)),
  };
}

/** How often the bot renews its quotes. */
const refreshSeconds = 5;

/** Returns a share in basis points with one decimal; at least 0.1, the least a plugin accepts. */
function basisPoints(part: number, whole: number): string {
  return `${Math.max(0.1, Math.ceil((part / whole) * 100_000) / 10).toFixed(1)}bps`;
}

/**
 * Returns half of the usual price move between two quotes at this speed, but at least half of the
 * initial spread: then both sides are filled now and then, and the call budget suffices.
 */
function halfSpreadOf({ moveOfMinute, bestAsk, bestBid, priceStep }: FlowProfile, speed: number) {
  const minutes = (refreshSeconds * speed) / 60;
  const spread = Math.max(bestAsk - bestBid, priceStep);
  return Math.max(spread / 2, (moveOfMinute * Math.sqrt(minutes)) / 2);
}

/**
 * Returns the settings file, to be written at `path`, of a market maker for the recording in
 * `folder`. It quotes a typical order volume on each side.
 */
export function flowBotYaml(
  profile: FlowProfile,
  {
    speed,
    path,
    folder,
    workspace,
  }: {
    readonly speed: number;
    readonly path: string;
    readonly folder: string;
    readonly workspace: CommandPlace;
  },
): string {
  const market = flowMarketOf(profile);
  const { pair, base, counter: money } = market;
  const sizes = sizesOf(market, profile);
  const { bestBid, bestAsk } = profile;
  const mid = (bestBid + bestAsk) / 2;
  // Text from the recording must not begin a new line of the file.
  const name = `${profile.venue} ${profile.symbol}`.replace(/[^\w .-]/gu, '?').slice(0, 60);
  const copy = join(dirname(path), 'my-flow.yaml');
  const halfSpread = basisPoints(halfSpreadOf(profile, speed), mid);
  return `# The bot of \`start --flow\`, created for the recording ${name}.
# Overwritten at each start. To change it, edit a copy:
#   cp ${quoted(path)} ${quoted(copy)}
#   ${millraceCommand(workspace, `start ${quoted(copy)} --flow ${quoted(resolve(folder))} --speed ${speed}`)}
version: 1
bot: flow
mode: demo
venue: simulator
dashboard: on

strategies:
  mm-flow:
    plugin: simple-mm
    pairs: [${pair}]
    parameters:
      halfSpread: "${halfSpread}" # about the price move between two quotes
      size: "${sizes.base(1)}"                # the most common order volume in the recording
      refresh: "${refreshSeconds}s"
      tolerance: "${basisPoints(bestAsk - bestBid, mid)}"
    budget: { ${money}: "${sizes.value(40)}", ${base}: "${sizes.base(10)}" }
    allow: { sides: [BID, ASK], types: [limit], timeInForce: [GTC], postOnly: required }
    onRestart: adopt
    onStop: cancel
    onUnusableBook: { withdrawAfter: "10s" }

limits:
  account:
    openNotionalMax: { ${money}: "${sizes.value(12)}" }
    turnoverDayMax: { ${money}: "${sizes.value(100_000)}" }
    lossDayMax: { ${money}: "${sizes.value(5)}" }
    ordersOpenMax: 10
    ordersPerMinuteMax: 120
  pairs:
    ${pair}:
      orderBaseMax: "${sizes.base(1)}"
      positionBaseMax: "${sizes.base(10)}"
      collar: "5%"
      bookAgeMax: "10s"
`;
}
