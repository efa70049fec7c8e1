/** One reason for a refusal, and helpers to write it briefly. */
import type { GateFacts } from '../../../src/risk/gate-facts.ts';
import { type GateSettings, limitsHashOf } from '../../../src/risk/gate-limits.ts';
import type { Proposal } from '../../../src/risk/proposal.ts';
import { limits, lots, nowMs, settings } from './open-gate.ts';

export type Case = {
  readonly title: string;
  readonly position: number;
  readonly order?: Partial<Proposal>;
  readonly settings?: GateSettings;
  readonly spoil?: (facts: GateFacts) => void;
  /** Positions of other checks that refuse it too. */
  readonly alsoBy?: readonly number[];
  /** The refusals, each as `CODE|observed|limit|unit`. */
  readonly expected: readonly string[];
};

export const account = (changed: Partial<typeof limits.account>): GateSettings => ({
  ...settings,
  limits: { ...limits, account: { ...limits.account, ...changed } },
});
export const each = (changed: Partial<typeof limits.eachStrategy>): GateSettings => ({
  ...settings,
  limits: { ...limits, eachStrategy: { ...limits.eachStrategy, ...changed } },
});
export const pairLimit = (
  changed: Partial<NonNullable<(typeof limits.pairs)['XBTZAR']>>,
): GateSettings => {
  const pair = limits.pairs['XBTZAR'];
  if (pair === undefined) throw new Error('no limits of XBTZAR');
  return { ...settings, limits: { ...limits, pairs: { XBTZAR: { ...pair, ...changed } } } };
};
export const budget = (amounts: Record<string, string>): GateSettings => ({
  ...settings,
  strategies: settings.strategies.map((strategy) => ({ ...strategy, budget: amounts })),
});
export const fillOf = (changed: object) => ({
  key: 'f1',
  holdId: 'h1',
  strategyId: 'other',
  pair: 'XBTZAR',
  side: 'BID' as const,
  volume: lots(100),
  value: 10_000_000_000,
  feeBase: 0n,
  feeCounter: 0n,
  timeMs: nowMs,
  ...changed,
});
/** Approves the settings as given, and the code `abc`. */
export const approved = (given: GateSettings = settings): GateSettings => ({
  ...given,
  approved: { settings: [limitsHashOf(given)], strategies: ['abc'] },
});
export const live = {
  mode: 'live',
  ordersGoTo: 'exchange',
  liveFlag: true,
  keyFingerprint: 'k',
  keyFingerprintAllowed: 'k',
} as const;
export const reducing = (facts: GateFacts) => {
  facts.tradingState.global = 'REDUCING';
};
