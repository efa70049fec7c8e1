/** The bot's own state: checks 1 to 4. */
import { limitsHashOf } from '../../../src/risk/gate-limits.ts';
import { pairFacts, settings } from './open-gate.ts';
import { approved, type Case, live } from './spoilt-case.ts';

export const stateCases: readonly Case[] = [
  {
    position: 1,
    title: 'halted',
    told: ['TRADING_STATE|HALTED|ACTIVE or REDUCING|global state'],
    spoil: (facts) => {
      facts.tradingState.global = 'HALTED';
    },
  },
  {
    position: 1,
    title: 'the strategy halted',
    told: ['TRADING_STATE|HALTED|ACTIVE or REDUCING|strategy state'],
    spoil: (facts) => {
      facts.tradingState.strategies.set('mm', 'HALTED');
    },
  },
  {
    position: 1,
    title: 'the pair not known to be on',
    told: ['TRADING_STATE|missing|ACTIVE or REDUCING|pair state'],
    spoil: (facts) => {
      facts.tradingState.pairs.clear();
    },
  },

  {
    position: 2,
    title: 'a demo that reaches the exchange',
    told: ['ENVIRONMENT|demo to exchange|demo to simulator|destination'],
    spoil: (facts) => {
      facts.environment = { ...facts.environment, ordersGoTo: 'exchange' };
    },
  },
  {
    position: 2,
    title: 'paper that reaches the simulator',
    told: ['ENVIRONMENT|paper to simulator|paper to tape|destination'],
    spoil: (facts) => {
      facts.environment = { ...facts.environment, mode: 'paper' };
    },
  },
  {
    position: 2,
    title: 'live without the flag',
    settings: approved(),
    told: ['ENVIRONMENT|absent|given|live flag'],
    spoil: (facts) => {
      facts.strategyHashes.set('mm', 'abc');
      facts.environment = { ...live, liveFlag: false };
    },
  },
  {
    position: 2,
    title: 'live with another key',
    settings: approved(),
    told: ['ENVIRONMENT|k|other|key fingerprint'],
    spoil: (facts) => {
      facts.strategyHashes.set('mm', 'abc');
      facts.environment = { ...live, keyFingerprintAllowed: 'other' };
    },
  },
  {
    position: 2,
    title: 'live with no key named',
    settings: approved(),
    told: ['ENVIRONMENT|missing|missing|key fingerprint'],
    spoil: (facts) => {
      const none = { keyFingerprint: undefined, keyFingerprintAllowed: undefined };
      facts.strategyHashes.set('mm', 'abc');
      facts.environment = { ...live, ...none };
    },
  },

  {
    position: 3,
    title: 'limits that nobody approved',
    settings: { ...settings, approved: { settings: ['old'], strategies: ['abc'] } },
    told: [`VERSION|${limitsHashOf(settings)}|old|settings`],
    spoil: (facts) => {
      facts.strategyHashes.set('mm', 'abc');
    },
  },
  {
    position: 3,
    title: 'code that nobody approved',
    settings: approved(),
    told: ['VERSION|def|abc|strategy code'],
    spoil: (facts) => {
      facts.strategyHashes.set('mm', 'def');
    },
  },
  {
    position: 3,
    title: 'live without a list of what is approved',
    told: [`VERSION|${limitsHashOf(settings)}|missing|settings`],
    spoil: (facts) => {
      facts.environment = live;
    },
  },

  {
    position: 4,
    title: 'not reconciled',
    told: ['NOT_RECONCILED|no|yes|reconciled'],
    spoil: (facts) => {
      facts.health.reconciled = false;
    },
  },
  {
    position: 4,
    title: 'a store that forgets',
    told: ['STORE_NOT_DURABLE|no|yes|durable store'],
    spoil: (facts) => {
      facts.health.storeDurable = false;
    },
  },
  {
    position: 4,
    title: 'no lock',
    told: ['LOCK_NOT_HELD|no|yes|lock held'],
    spoil: (facts) => {
      facts.health.lockHeld = false;
    },
  },
  {
    position: 4,
    title: 'a clock behind',
    told: ['CLOCK_SKEW|-2001|2000|ms'],
    spoil: (facts) => {
      facts.health.clockSkewMs = -2_001;
    },
  },
  {
    position: 4,
    title: 'a clock never compared',
    told: ['CLOCK_SKEW|missing|2000|ms'],
    spoil: (facts) => {
      facts.health.clockSkewMs = undefined;
    },
  },
  {
    position: 4,
    title: 'a loop that falls behind',
    told: ['LOOP_DELAY|501|500|ms'],
    spoil: (facts) => {
      facts.health.loopDelayMs = 501;
    },
  },
  {
    position: 4,
    title: 'a loop that nobody watches',
    told: ['LOOP_DELAY|missing|500|ms'],
    spoil: (facts) => {
      facts.health.loopDelayMs = undefined;
    },
  },
  {
    position: 4,
    title: 'many unknown orders',
    told: ['UNKNOWN_ORDERS|6|5|orders'],
    spoil: (facts) => {
      facts.health.unknownOrders = 6;
    },
  },
  {
    position: 4,
    title: 'unknown orders on the pair',
    told: ['UNKNOWN_ORDERS|3|2|orders of the pair'],
    spoil: (facts) => {
      pairFacts(facts).unknownOrders = 3;
    },
  },
];
