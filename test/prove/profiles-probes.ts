/**
 * What the parts that keep the rules of an exchange do under a profile: the replay exchange, the
 * gate and the executor, each asked the same questions, with their answers as text.
 */
import type { StrategyPermissions, TimeInForce } from '../../src/domain/bot-settings.ts';
import type { ExchangeProfile } from '../../src/domain/exchange-profile.ts';
import { assertServed } from '../../src/execution/orders/served-venue.ts';
import { timeToLiveMs } from '../../src/execution/orders/time-to-live.ts';
import { CallBudget } from '../../src/execution/requests/call-budget.ts';
import { replayPropertiesOf } from '../../src/replay-exchange/replay-properties.ts';
import { Gate } from '../../src/risk/gate.ts';
import { Bench, maker, startMs, us } from '../support/replay-bench.ts';
import type { PlacePart } from '../support/replay-market.ts';
import { goodBid, openFacts, pairFacts, stopSettings } from '../unit/risk/open-gate.ts';

export type Part = 'exchange' | 'gate' | 'executor';
/** The answers of one part, by question. */
export type Answers = Readonly<Record<string, string>>;

/** More calls than any profile here allows in a minute. */
const callsAsked = 700;
const kinds: Readonly<Record<string, PlacePart>> = {
  limit: {},
  'post-only': { postOnly: true },
  IOC: { timeInForce: 'IOC' },
  FOK: { timeInForce: 'FOK' },
};

const order = (part: PlacePart) =>
  maker({ ...{ price: '0.5', volume: '1', postOnly: false, ttlMs: 5_000 }, ...part });

/** Returns what the replay exchange answers under a profile. */
export function exchangeUnder(profile: ExchangeProfile): Answers {
  const bench = new Bench({ feed: us(0), request: us(0), answer: us(0) }, profile);
  const answers: Record<string, string> = {};
  const place = (name: string, part: PlacePart): void => {
    const reply = bench.ask(order(part));
    answers[name] = reply.kind === 'refused' ? reply.code : reply.kind;
  };
  for (const [kind, part] of Object.entries(kinds)) place(kind, part);
  place('stop-limit', {
    ...{ side: 'BID', price: '1.02' },
    stop: { direction: 'ABOVE', price: 200 as never },
  });
  place('late', { timestampMs: startMs - 60_000 });
  place('short-lived', { ttlMs: 2_000 });
  place('long id', { clientOrderId: 'i'.repeat(60) });
  const first = bench.ask(order({ clientOrderId: 'again' }));
  if (first.kind === 'ok') bench.ask({ kind: 'cancel', orderId: first.value.orderId });
  place('used id', { clientOrderId: 'again' });
  const other = new Bench({ feed: us(0), request: us(0), answer: us(0) }, profile);
  let taken = 0;
  for (let call = 0; call < callsAsked; call++)
    if (other.ask({ kind: 'balances' }).kind === 'ok') taken++;
  answers['calls'] = String(taken);
  return answers;
}

const judged: readonly string[] = ['FORM', 'TRADES_STALE', 'COLLAR_TRADES'];
const allowing = {
  ...stopSettings,
  strategies: stopSettings.strategies.map((one) => ({
    ...one,
    allow: {
      ...one.allow,
      timeInForce: ['GTC', 'IOC', 'FOK'] as const,
      postOnly: 'allowed' as const,
    },
  })),
};

/** Returns what the gate decides under a profile: the codes of its refusals. */
export function gateUnder(profile: ExchangeProfile): Answers {
  const gate = new Gate(allowing);
  const answers: Record<string, string> = {};
  const judge = (name: string, part: object, tradeAgeMs: number | null = 900): void => {
    const facts = { ...openFacts(), exchange: profile };
    const pair = pairFacts(facts);
    pair.tradeMedianAgeMs = tradeAgeMs ?? undefined;
    if (tradeAgeMs === null) pair.tradeMedian = undefined;
    const verdict = gate.judge({ ...goodBid, postOnly: false, ...part }, facts);
    const refusals = verdict.kind === 'refused' ? verdict.refusals : [];
    const codes = refusals.map(({ code }) => code).filter((code) => judged.includes(code));
    answers[name] = [...new Set(codes)].join(' ') || 'ok';
  };
  for (const [kind, part] of Object.entries(kinds)) judge(kind, part);
  judge('stop-limit', {
    stop: { direction: 'ABOVE', price: goodBid.price + 10 },
  });
  judge('trade of 61 s', {}, 61_000);
  judge('trade of 301 s', {}, 301_000);
  judge('no trade', {}, null);
  return answers;
}

/** Returns what the executor does under a profile. */
export function executorUnder(profile: ExchangeProfile): Answers {
  const venue = replayPropertiesOf(profile);
  const budget = new CallBudget(profile.calls);
  let sent = 0;
  for (; sent < callsAsked && budget.left(0).forOrders > 0; sent++) budget.sent(0);
  const answers: Record<string, string> = {
    calls: String(budget.isUnlimited ? callsAsked : sent),
    'time to live': String(timeToLiveMs(profile.placing)),
  };
  const allow: StrategyPermissions = {
    ...{ sides: ['BID', 'ASK'], types: ['limit'], timeInForce: ['GTC'], postOnly: 'never' },
  };
  const serve = (name: string, part: Partial<StrategyPermissions>): void => {
    try {
      assertServed(venue, [{ id: 'one', allow: { ...allow, ...part } }]);
      answers[name] = 'ok';
    } catch (error) {
      answers[name] = String(error);
    }
  };
  serve('limit', {});
  serve('post-only', { postOnly: 'required' });
  for (const time of ['IOC', 'FOK'] satisfies TimeInForce[]) serve(time, { timeInForce: [time] });
  serve('stop-limit', { types: ['stop-limit'] });
  return answers;
}
