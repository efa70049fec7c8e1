/**
 * Reads `profile` of a scenario: the rules of the exchange at which it trades. It is the name of a
 * shipped profile, or a profile derived from one, from which it has every rule that it does not
 * give.
 *
 *     profile: unlimited
 *     profile: { from: unlimited, calls: { perMinute: 600 }, checks: { tradeAge: "5m" } }
 */
import { orderTypes } from '../domain/bot-settings.ts';
import {
  type CallClass,
  type CallRules,
  callsPerMinuteMin,
  type ExchangeProfile,
} from '../domain/exchange-profile.ts';
import { lunoProfile, shippedProfiles } from '../venues/profiles.ts';
import { must } from './bot-fields.ts';
import { list, object, optional, orWord, type Reader } from './field.ts';
import { latency } from './latency-field.ts';
import type { KeyPath } from './settings-source.ts';
import { spanMs, spanMsOr } from './unit-fields.ts';
import { choice, wholeNumber } from './value-fields.ts';

const names = shippedProfiles.map(({ name }) => name);
const callsMax = 1_000_000;
const left = wholeNumber({ min: 0, max: callsMax });
/** The exchange's minute does not begin with ours, so that one call too many would be refused. */
const leftByCancels = wholeNumber({ min: 1, max: callsMax });
const ttl = spanMs({ minMs: 1, maxMs: 86_400_000 });

export const profileField = orWord(
  names,
  object({
    from: choice(names),
    calls: optional(
      orWord(
        ['unlimited'],
        object({
          perMinute: optional(wholeNumber({ min: callsPerMinuteMin, max: callsMax })),
          leave: optional(
            object({ cancel: leftByCancels, lookup: left, read: left, order: left, move: left }),
          ),
        }),
      ),
    ),
    orders: optional(
      object({
        types: optional(list(choice(orderTypes))),
        timeInForce: optional(list(choice(['GTC', 'IOC', 'FOK']))),
        postOnly: optional(choice(['allowed', 'never'])),
        timeToLive: optional(orWord(['none'], object({ min: ttl, max: ttl }))),
        clientId: optional(
          object({
            lengthMax: optional(wholeNumber({ min: 1, max: 1_000 })),
            unique: optional(choice(['forever', 'open'])),
          }),
        ),
      }),
    ),
    latencies: optional(object({ feed: latency, request: latency, answer: latency })),
    checks: optional(
      object({ tradeAge: optional(spanMsOr('never', { minMs: 1_000, maxMs: 86_400_000 })) }),
    ),
  }),
);

/** What `callLimit: unlimited` meant before there were profiles. */
export const lunoWithUnlimitedCalls: ExchangeProfile = {
  ...lunoProfile,
  name: `derived from ${lunoProfile.name}`,
  calls: 'unlimited',
};

type Given = NonNullable<ReturnType<typeof profileField>>;
type Changes = Exclude<Given, string>;

/** Returns the profile of a draft without problems; Luno's if none is given. */
export function profileOf(given: Given | undefined): ExchangeProfile {
  if (given === undefined) return lunoProfile;
  if (typeof given === 'string') return shipped(given);
  const base = shipped(must(given.from));
  const { orders, latencies, checks } = given;
  return {
    ...base,
    name: `derived from ${base.name}`,
    calls: callsOf(given, base),
    orders: {
      types: known(orders?.types) ?? base.orders.types,
      timesInForce: known(orders?.timeInForce) ?? base.orders.timesInForce,
      postOnly: orders?.postOnly === undefined ? base.orders.postOnly : orders.postOnly !== 'never',
    },
    placing: placingOf(given, base),
    checks: { tradeAgeMsMax: checks?.tradeAge ?? base.checks.tradeAgeMsMax },
    ...(latencies && {
      latencies: {
        feed: must(latencies.feed),
        request: must(latencies.request),
        answer: must(latencies.answer),
      },
    }),
  };
}

function shipped(name: string): ExchangeProfile {
  return must<ExchangeProfile>(shippedProfiles.find((one) => one.name === name));
}

function known<Value>(values: readonly (Value | undefined)[] | undefined): Value[] | undefined {
  return values?.filter((value) => value !== undefined);
}

function callsOf({ calls }: Changes, base: ExchangeProfile): ExchangeProfile['calls'] {
  if (calls === undefined) return base.calls;
  if (calls === 'unlimited') return calls;
  const ofBase = base.calls === 'unlimited' ? undefined : base.calls;
  const leave = (calls.leave ?? ofBase?.leave) as CallRules['leave'];
  return { perMinute: must(calls.perMinute ?? ofBase?.perMinute), ...(leave && { leave }) };
}

function placingOf({ orders }: Changes, base: ExchangeProfile): ExchangeProfile['placing'] {
  const { timeToLive, clientId } = orders ?? {};
  return {
    idsLast: clientId?.unique === undefined ? base.placing.idsLast : clientId.unique === 'forever',
    idLengthMax: clientId?.lengthMax ?? base.placing.idLengthMax,
    ttlMs:
      timeToLive === undefined
        ? base.placing.ttlMs
        : timeToLive === 'none'
          ? timeToLive
          : { min: timeToLive.min ?? 1, max: timeToLive.max ?? 1 },
  };
}

/** Reports rules that contradict each other, with those of the profile that it derives from. */
export function checkProfile(reader: Reader, given: Given | undefined): void {
  const at = (...keys: string[]): KeyPath => ['profile', ...keys];
  if (given === undefined || typeof given === 'string' || given.from === undefined) return;
  const base = shipped(given.from);
  checkCalls(reader, at, given, base);
  checkOrders(reader, at, given, base);
}

type At = (...keys: string[]) => KeyPath;
/** From the most urgent on: a class leaves at least what the one before it does. */
const classes: readonly CallClass[] = ['cancel', 'lookup', 'read', 'order', 'move'];

function checkCalls(reader: Reader, at: At, { calls }: Changes, base: ExchangeProfile): void {
  if (calls === undefined || calls === 'unlimited') return;
  const { leave, perMinute = base.calls === 'unlimited' ? undefined : base.calls.perMinute } =
    calls;
  if (perMinute === undefined) {
    const isGiven = reader.source.has(at('calls', 'perMinute'));
    const why = `lacks perMinute, which ${base.name} does not have`;
    if (!isGiven) reader.reportMissing(at('calls'), why, 'a whole number such as 600');
    return;
  }
  let before = 0;
  for (const one of classes) {
    const value = leave?.[one];
    if (value === undefined) continue;
    const [message, place] = [`was ${value}`, at('calls', 'leave', one)];
    const allowed =
      value >= perMinute
        ? `less than the ${perMinute} calls of a minute, or none would be left`
        : value < before
          ? `at least the ${before} of the more urgent class before it`
          : undefined;
    if (allowed !== undefined) reader.report(place, { message, allowed });
    before = Math.max(before, value);
  }
}

function checkOrders(reader: Reader, at: At, given: Changes, base: ExchangeProfile): void {
  const { orders } = given;
  const { timeToLive, timeInForce, postOnly, types } = orders ?? {};
  if (timeToLive !== undefined && timeToLive !== 'none') {
    const { min, max } = timeToLive;
    if (min !== undefined && max !== undefined && min > max) {
      const allowed = `at least min, which is ${min} ms`;
      reader.report(at('orders', 'timeToLive', 'max'), { message: `was ${max} ms`, allowed });
    }
  }
  const { idsLast, ttlMs } = placingOf(given, base);
  if (!idsLast && ttlMs === 'none') {
    const isIds = orders?.clientId?.unique !== undefined;
    reader.report(isIds ? at('orders', 'clientId', 'unique') : at('orders', 'timeToLive'), {
      message: isIds
        ? 'was open, without a time to live'
        : 'was none, with ids unique among open orders',
      allowed: 'unique: forever, or a time to live: one of them keeps an order from becoming two',
    });
  }
  const mayRest = postOnly === undefined ? base.orders.postOnly : postOnly === 'allowed';
  if (timeInForce !== undefined && mayRest && !timeInForce.includes('GTC'))
    reader.report(at('orders', 'timeInForce'), {
      message: 'was without GTC, which post-only orders have',
      allowed: 'GTC among others, or postOnly: never',
    });
  const hasImmediate = (known(timeInForce) ?? base.orders.timesInForce).includes('IOC');
  if (types?.includes('market') === true && !hasImmediate)
    reader.report(at('orders', 'types'), {
      message: 'has market, but timeInForce lacks IOC, which market orders have',
      allowed: 'types without market, or IOC in timeInForce',
    });
}
