/** The bot's own state: checks 1 to 4. */
import { limitsHashOf } from '../../../src/risk/gate-limits.ts';
import { pairFacts, settings } from './open-gate.ts';
import { approved, type Case, live } from './spoilt-case.ts';

export const stateCases: readonly Case[] = [
  {
    position: 1,
    title: 'halted',
    expected: ['TRADING_STATE|HALTED|ACTIVE or REDUCING|global state'],
    spoil: (facts) => {
      facts.tradingState.global = 'HALTED';
    },
  },
  {
    position: 1,
    title: 'the strategy halted',
    expected: ['TRADING_STATE|HALTED|ACTIVE or REDUCING|strategy state'],
    spoil: (facts) => {
      facts.tradingState.strategies.set('mm', 'HALTED');
    },
  },
  {
    position: 1,
    title: 'a pair of unknown state',
    expected: ['TRADING_STATE|missing|ACTIVE or REDUCING|pair state'],
    spoil: (facts) => {
      facts.tradingState.pairs.clear();
    },
  },

  {
    position: 2,
    title: 'a demo that reaches the exchange',
    expected: ['ENVIRONMENT|demo to exchange|demo to simulator|destination'],
    spoil: (facts) => {
      facts.environment = { ...facts.environment, ordersGoTo: 'exchange' };
    },
  },
  {
    position: 2,
    title: 'paper that reaches the simulator',
    expected: ['ENVIRONMENT|paper to simulator|paper to replay|destination'],
    spoil: (facts) => {
      facts.environment = { ...facts.environment, mode: 'paper' };
    },
  },
  {
    position: 2,
    title: 'live without the flag',
    settings: approved(),
    expected: ['ENVIRONMENT|absent|given|live flag'],
    spoil: (facts) => {
      facts.strategyHashes.set('mm', 'abc');
      facts.environment = { ...live, liveFlag: false };
    },
  },
  {
    position: 2,
    title: 'live with another key',
    settings: approved(),
    expected: ['ENVIRONMENT|k|other|key fingerprint'],
    spoil: (facts) => {
      facts.strategyHashes.set('mm', 'abc');
      facts.environment = { ...live, keyFingerprintAllowed: 'other' };
    },
  },
  {
    position: 2,
    title: 'live with no key named',
    settings: approved(),
    expected: ['ENVIRONMENT|missing|missing|key fingerprint'],
    spoil: (facts) => {
      const none = { keyFingerprint: undefined, keyFingerprintAllowed: undefined };
      facts.strategyHashes.set('mm', 'abc');
      facts.environment = { ...live, ...none };
    },
  },

  {
    position: 3,
    title: 'limits that are not approved',
    settings: { ...settings, approved: { settings: ['old'], strategies: ['abc'] } },
    expected: [`VERSION|${limitsHashOf(settings)}|old|settings`],
    spoil: (facts) => {
      facts.strategyHashes.set('mm', 'abc');
    },
  },
  {
    position: 3,
    title: 'code that is not approved',
    settings: approved(),
    expected: ['VERSION|def|abc|strategy code'],
    spoil: (facts) => {
      facts.strategyHashes.set('mm', 'def');
    },
  },
  {
    position: 3,
    title: 'live without approved versions',
    expected: [`VERSION|${limitsHashOf(settings)}|missing|settings`],
    spoil: (facts) => {
      facts.environment = live;
    },
  },

  {
    position: 4,
    title: 'not reconciled',
    expected: ['NOT_RECONCILED|no|yes|reconciled'],
    spoil: (facts) => {
      facts.health.reconciled = false;
    },
  },
  {
    position: 4,
    title: 'a store that is not durable',
    expected: ['STORE_NOT_DURABLE|no|yes|durable store'],
    spoil: (facts) => {
      facts.health.storeDurable = false;
    },
  },
  {
    position: 4,
    title: 'no lock',
    expected: ['LOCK_NOT_HELD|no|yes|lock held'],
    spoil: (facts) => {
      facts.health.lockHeld = false;
    },
  },
  {
    position: 4,
    title: 'a clock behind',
    expected: ['CLOCK_SKEW|-2001|2000|ms'],
    spoil: (facts) => {
      facts.health.clockSkewMs = -2_001;
    },
  },
  {
    position: 4,
    title: 'a clock skew that was never measured',
    expected: ['CLOCK_SKEW|missing|2000|ms'],
    spoil: (facts) => {
      facts.health.clockSkewMs = undefined;
    },
  },
  {
    position: 4,
    title: 'a delayed event loop',
    expected: ['LOOP_DELAY|501|500|ms'],
    spoil: (facts) => {
      facts.health.loopDelayMs = 501;
    },
  },
  {
    position: 4,
    title: 'an event loop that is not watched',
    expected: ['LOOP_DELAY|missing|500|ms'],
    spoil: (facts) => {
      facts.health.loopDelayMs = undefined;
    },
  },
  {
    position: 4,
    title: 'many unknown orders',
    expected: ['UNKNOWN_ORDERS|6|5|orders'],
    spoil: (facts) => {
      facts.health.unknownOrders = 6;
    },
  },
  {
    position: 4,
    title: 'unknown orders on the pair',
    expected: ['UNKNOWN_ORDERS|3|2|orders of the pair'],
    spoil: (facts) => {
      pairFacts(facts).unknownOrders = 3;
    },
  },
];
