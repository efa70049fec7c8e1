/**
 * The three exchanges that keep an account for us, behind the port that the engine uses: the
 * simulator, the replay exchange and the paper exchange, with the same market, balances and fees.
 *
 * There are no latencies: what is sent is answered, and what follows from it is told, before the
 * call returns. Somebody else rests orders, and takes from ours.
 */

import type { BookMessage } from '../../src/domain/book-message.ts';
import { formatLots, formatTicks, formatValue, type Side } from '../../src/domain/market.ts';
import type { Lots, Ticks } from '../../src/domain/money.ts';
import type { EngineEvent } from '../../src/engine/event.ts';
import type { ExchangePort } from '../../src/engine/exchange-port.ts';
import { PaperCore } from '../../src/paper/paper-core.ts';
import { createPaperExchange } from '../../src/paper/paper-exchange.ts';
import type { DelayedFeed } from '../../src/replay-exchange/port/delayed-feed.ts';
import { ReplayExchange } from '../../src/replay-exchange/port/replay-exchange.ts';
import type { MarketListener } from '../../src/venue/venue-streams.ts';
import { venueReplyOf, wireRequestOf } from '../../src/venues/luno/adapter/codec.ts';
import { decodeMarketFrame } from '../../src/venues/luno/api/market-messages.ts';
import { type OperationName, operations } from '../../src/venues/luno/api/operations.ts';
import type { Reply } from '../../src/venues/luno/api/reply.ts';
import { userStreamPath } from '../../src/venues/luno/api/user-messages.ts';
import { readReply } from '../../src/venues/luno/client/read-reply.ts';
import { createRequestWriter } from '../../src/venues/luno/client/request-writer.ts';
import { simulatorRequestOf } from '../../src/venues/luno/simulator/server/http-request.ts';
import type { Simulator } from '../../src/venues/luno/simulator/world/simulator.ts';
import { lunoProfile } from '../../src/venues/profiles.ts';
import { historyOf } from './encoded-history.ts';
import type { ManualTime } from './manual-time.ts';
import { replayMarket, replayRates, row } from './replay-market.ts';
import { botKey, otherKey, simulatorFor } from './simulated-exchange.ts';
import { reportIn } from './user-frames.ts';

export const subjectMarket = { ...replayMarket, volumeMin: 2 as Lots };
export const subjectBalances = { XBT: '10', EUR: '100' };
/** As the replay exchange numbers them; the simulator is told to. */
export const subjectAccounts = { XBT: '1', EUR: '2' };

export type AccountSubject = {
  readonly port: ExchangePort;
  /** Lets everything happen that is due. */
  readonly run: () => void;
  /** Somebody's order rests behind all of its price. */
  readonly rest: (side: Side, price: Ticks, volume: Lots) => void;
  /** Somebody takes from orders of ours that rest at `price` or better, and from no other. */
  readonly take: (side: Side, price: Ticks, volume: Lots) => void;
};

/** Returns an exchange without anybody's orders, whose streams are not open yet. */
export type CreateSubject = (time: ManualTime) => AccountSubject;

export const accountSubjects: readonly (readonly [name: string, create: CreateSubject])[] = [
  ['simulator', createSimulatorSubject],
  ['replay exchange', createReplaySubject],
  ['paper exchange', createPaperSubject],
];

/** The simulator, by the client's writer and readers; the other user is the rest of the world. */
function createSimulatorSubject(time: ManualTime): AccountSubject {
  const fees = replayRates;
  const deposits = { XBT: '1000000', EUR: '1000000' };
  const simulator = simulatorFor({
    markets: [subjectMarket],
    users: [
      { id: 'desk', fees, deposits: subjectBalances, accountIds: subjectAccounts },
      { id: 'other', fees, deposits },
    ],
  });
  let deliver: (event: EngineEvent) => void = () => {};
  const ask = callerOf(simulator, botKey, time);
  const act = callerOf(simulator, otherKey, time);
  const place = (side: Side, price: Ticks, volume: Lots, timeInForce: 'GTC' | 'IOC') => {
    const reply = act('postorder', {
      ...{ pair: subjectMarket.pair, type: side, time_in_force: timeInForce },
      price: formatTicks(price, subjectMarket),
      volume: formatLots(volume, subjectMarket),
    });
    if (reply.kind !== 'ok') throw new Error(`somebody's order: ${JSON.stringify(reply)}`);
  };
  const port: ExchangePort = {
    open: (sink) => {
      deliver = sink;
      const session = simulator.openSession(
        userStreamPath,
        (output) => {
          if (output.kind === 'close') return;
          const report = reportIn(output.text);
          if (report !== undefined) deliver({ kind: 'report', report });
        },
        time.nowMicros,
      );
      const greeting = { api_key_id: botKey.id, api_key_secret: botKey.secret };
      session?.receive(JSON.stringify(greeting), time.nowMicros);
    },
    request: ({ request, call }) => {
      const { operation, parameters } = wireRequestOf(call, () => subjectMarket);
      const reply = venueReplyOf(call, ask(operation, parameters));
      deliver({ kind: 'reply', request, reply });
    },
    reconnect: () => {},
    close: async () => {},
  };
  return {
    port,
    run: () => simulator.advance(time.nowMicros),
    rest: (side, price, volume) => place(side, price, volume, 'GTC'),
    take: (side, price, volume) => place(side === 'BID' ? 'ASK' : 'BID', price, volume, 'IOC'),
  };
}

function callerOf(simulator: Simulator, key: typeof botKey, time: ManualTime) {
  const authorization = `Basic ${Buffer.from(`${key.id}:${key.secret}`).toString('base64')}`;
  const allow = Object.keys(operations) as OperationName[];
  const write = createRequestWriter({
    ...{ authorization: () => authorization, wallet: undefined, paths: {}, allow },
  });
  return <Name extends OperationName>(operation: Name, parameters: object): Reply<Name> => {
    const written = write(operation, parameters as never);
    if ('refusal' in written) throw new Error(`the client would not send it: ${written.refusal}`);
    const { method, path: url, body } = written;
    const { status, headers, ...answer } = simulator.handle(
      simulatorRequestOf({
        ...{ method, url, address: '127.0.0.1', headers: {}, authorization },
        body: body === undefined ? undefined : { kind: 'form', text: body },
      }),
      time.nowMicros,
    );
    const outcome = { kind: 'answer', status, headers, body: Buffer.from(answer.body ?? '') };
    const { response } = operations[operation];
    return readReply(outcome as never, response, operation, (shown) => shown) as Reply<Name>;
  };
}

const none = { kind: 'fixed', us: 0 } as const;

/** The replay exchange, whose history is what somebody does. */
function createReplaySubject(time: ManualTime): AccountSubject {
  const port = new ReplayExchange({
    profile: lunoProfile,
    markets: [{ market: subjectMarket, rates: replayRates }],
    balances: subjectBalances,
    latencies: { feed: none, request: none, answer: none },
    seed: 1,
    nowMicros: () => time.nowMicros,
  });
  const { accountMarket } = port.feeds[0] as DelayedFeed;
  const history = historyOf(accountMarket);
  const offer = (one: ReturnType<typeof row.delete>): void =>
    history.apply({ ...one, atMicros: time.nowMicros });
  let others = 0;
  const rest = (side: Side, price: Ticks, volume: Lots): string => {
    const id = `history${++others}`;
    offer(row.create(id, side, price, volume));
    return id;
  };
  return {
    port,
    run: () => {
      while (port.nextDueMicros <= time.nowMicros) port.deliverNext();
    },
    rest,
    // History took somebody who stood behind us; had we been there, it would have been us.
    take: (side, price, volume) => offer(row.trade(rest(side, price, volume), side, price, volume)),
  };
}

/** The paper exchange, which follows the frames of a live market. */
function createPaperSubject(time: ManualTime): AccountSubject {
  const { pair } = subjectMarket;
  const core = new PaperCore({
    profile: lunoProfile,
    markets: [{ market: subjectMarket, fees: replayRates }],
    balances: subjectBalances,
    latencies: { feedUs: 0, request: none, answer: none },
    seed: 1,
    onWarning: (message) => {
      throw new Error(message);
    },
    nowMicros: time.clock.nowMicros,
  });
  let listener: MarketListener | undefined;
  let sequence = 0;
  const feed = (body: object): void => {
    const timestamp = Math.floor(time.nowMicros / 1000);
    const text = JSON.stringify({ sequence: String(++sequence), timestamp, ...body });
    listener?.frame(text, decodeMarketFrame(text) as BookMessage);
  };
  const paper = createPaperExchange({
    ...{ core, clock: time.clock, timers: time.timers, pairs: [pair] },
    connect: (_, heard) => {
      listener = heard;
      return {
        start: () => {
          heard.opened();
          feed({ bids: [], asks: [], status: 'ACTIVE' });
        },
        reconnect: () => {},
        close: async () => {},
      };
    },
  });
  let others = 0;
  const rest = (side: Side, price: Ticks, volume: Lots): string => {
    const id = `LIVE${++others}`;
    const terms = {
      price: formatTicks(price, subjectMarket),
      volume: formatLots(volume, subjectMarket),
    };
    feed({ trade_updates: [], create_update: { order_id: id, type: side, ...terms } });
    return id;
  };
  return {
    port: paper,
    run: () => core.runDue(),
    rest,
    take: (side, price, volume) => {
      const maker = rest(side, price, volume);
      const trade = {
        sequence: String(others),
        base: formatLots(volume, subjectMarket),
        counter: formatValue(price * volume, subjectMarket),
        ...{ maker_order_id: maker, taker_order_id: `TAKER${others}`, order_id: maker },
      };
      feed({ trade_updates: [trade] });
    },
  };
}
