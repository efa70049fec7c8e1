/** Each rule of a profile, changed alone, and which answers of which part it must change. */
import type { Part } from './profiles-probes.ts';

export type ProfileRule = {
  readonly name: string;
  /** The change, as a scenario writes it, of the profile luno. */
  readonly change: string;
  /** Exactly these answers change. */
  readonly changes: Readonly<Partial<Record<Part, readonly string[]>>>;
};

export const profileRules: readonly ProfileRule[] = [
  {
    name: 'calls.perMinute',
    change: 'calls: { perMinute: 600 }',
    changes: { exchange: ['calls'], executor: ['calls'] },
  },
  {
    name: 'calls.perMinute unlimited',
    change: 'calls: unlimited',
    changes: { exchange: ['calls'], executor: ['calls'] },
  },
  {
    name: 'calls.leave',
    change: 'calls: { leave: { cancel: 1, lookup: 2, read: 3, order: 4, move: 5 } }',
    // How the calls are shared is the bot's own affair.
    changes: { executor: ['calls'] },
  },
  {
    name: 'orders.types',
    change: 'orders: { types: [limit] }',
    changes: { exchange: ['stop-limit'], gate: ['stop-limit'], executor: ['stop-limit'] },
  },
  {
    name: 'orders.timeInForce',
    change: 'orders: { timeInForce: [GTC, IOC] }',
    changes: { exchange: ['FOK'], gate: ['FOK'], executor: ['FOK'] },
  },
  {
    name: 'orders.postOnly',
    change: 'orders: { postOnly: never }',
    changes: { exchange: ['post-only'], gate: ['post-only'], executor: ['post-only'] },
  },
  {
    name: 'orders.timeToLive',
    change: 'orders: { timeToLive: { min: "3s", max: "10s" } }',
    changes: { exchange: ['short-lived'], executor: ['time to live'] },
  },
  {
    name: 'orders.timeToLive none',
    change: 'orders: { timeToLive: none }',
    // The bot asks for the same span, and the exchange does not look at it.
    changes: { exchange: ['late'] },
  },
  {
    name: 'orders.clientId.lengthMax',
    change: 'orders: { clientId: { lengthMax: 59 } }',
    changes: { exchange: ['long id'] },
  },
  {
    name: 'orders.clientId.unique',
    change: 'orders: { clientId: { unique: open } }',
    changes: { exchange: ['used id'] },
  },
  {
    name: 'checks.tradeAge',
    change: 'checks: { tradeAge: "5m" }',
    changes: { gate: ['trade of 61 s'] },
  },
  {
    name: 'checks.tradeAge never',
    change: 'checks: { tradeAge: never }',
    changes: { gate: ['trade of 61 s', 'trade of 301 s', 'no trade'] },
  },
];
