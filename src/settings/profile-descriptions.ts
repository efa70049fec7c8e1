/** The meaning of each key of an exchange profile, for the reference page and `config explain`. */
import type { Descriptions } from './key-description.ts';
import { profileOf } from './profile-field.ts';

const ofBase = 'as in the profile that `from` names';

export const profileDescriptions: Descriptions = {
  profile: {
    meaning:
      'The rules of the exchange at which a backtest trades: a shipped profile by its name, or one that is derived from it.',
    example: '{ from: unlimited, calls: { perMinute: 600 } }',
    absent: profileOf(undefined).name,
  },
  'profile.from': {
    meaning:
      'The profile that has the rules which are not given here. luno: as Luno documents them; ' +
      'unlimited: no limit of calls, no time to live, no trade needed before an order.',
    example: 'unlimited',
  },
  'profile.calls': {
    meaning: 'How many calls the exchange allows. It refuses more.',
    example: '{ perMinute: 600 }',
    absent: ofBase,
  },
  'profile.calls.perMinute': {
    meaning: 'Calls in any 60 seconds, of all classes together.',
    example: '600',
    absent: ofBase,
  },
  'profile.calls.leave': {
    meaning:
      'How many of these calls the bot leaves unused by each class of calls, so that more urgent ones need not wait.',
    example: '{ cancel: 10, lookup: 60, read: 90, order: 110, move: 130 }',
    absent:
      'shares of the limit: 1/30 by cancels, 1/5 by lookups, 3/10 by reads, 11/30 by orders, 13/30 by moves',
  },
  'profile.calls.leave.cancel': { meaning: 'Calls that cancels leave.', example: '10' },
  'profile.calls.leave.lookup': {
    meaning: 'Calls that are left by lookups of orders whose outcome is unknown.',
    example: '60',
  },
  'profile.calls.leave.read': { meaning: 'Calls that other reads leave.', example: '90' },
  'profile.calls.leave.order': { meaning: 'Calls that new orders leave.', example: '110' },
  'profile.calls.leave.move': {
    meaning: 'Calls that are left by replacements of quotes.',
    example: '130',
  },
  'profile.orders': {
    meaning: 'Which orders the exchange takes, and for how long.',
    example: '{ timeInForce: [GTC], postOnly: never }',
    absent: ofBase,
  },
  'profile.orders.types': {
    meaning: 'The types of orders that it takes.',
    example: '[limit]',
    absent: ofBase,
  },
  'profile.orders.timeInForce': {
    meaning: 'The times in force that it takes.',
    example: '[GTC, IOC]',
    absent: ofBase,
  },
  'profile.orders.postOnly': {
    meaning: 'Whether it takes post-only orders.',
    example: 'never',
    absent: ofBase,
  },
  'profile.orders.timeToLive': {
    meaning:
      'How long after its timestamp it accepts an order: the shortest and the longest that an order ' +
      'may ask for. The bot asks for 2 s, or what is nearest to that. none: however late it comes.',
    example: '{ min: "1ms", max: "10s" }',
    absent: ofBase,
  },
  'profile.orders.timeToLive.min': { meaning: 'The shortest.', example: '"1ms"' },
  'profile.orders.timeToLive.max': { meaning: 'The longest.', example: '"10s"' },
  'profile.orders.clientId': {
    meaning: 'What it demands of the ids that the bot gives to its orders.',
    example: '{ lengthMax: 64, unique: open }',
    absent: ofBase,
  },
  'profile.orders.clientId.lengthMax': {
    meaning: 'The longest id, in characters. The ids of a bot have up to 45.',
    example: '64',
    absent: ofBase,
  },
  'profile.orders.clientId.unique': {
    meaning:
      'forever: it refuses an id that any order has had; open: only one that an open order has.',
    example: 'open',
    absent: ofBase,
  },
  'profile.latencies': {
    meaning: 'The latencies of scenarios that give none.',
    example: '{ feed: "1ms", request: "1ms", answer: "1ms" }',
    absent: 'the scenario must give them',
  },
  'profile.latencies.feed': {
    meaning: 'From the exchange to the bot, for the market stream.',
    example: '"1ms"',
  },
  'profile.latencies.request': { meaning: 'From the bot to the exchange.', example: '"1ms"' },
  'profile.latencies.answer': {
    meaning: 'From the exchange to the bot.',
    example: '{ from: "1ms", to: "4ms" }',
  },
  'profile.checks': {
    meaning: 'What the gate needs to know before an order leaves.',
    example: '{ tradeAge: never }',
    absent: ofBase,
  },
  'profile.checks.tradeAge': {
    meaning:
      'How old the newest trade may be. Orders must be near the median of the trades that are not ' +
      'older. never: an order needs no trade; if some are not older than a minute, it must be near ' +
      'their median.',
    example: '"60s"',
    absent: ofBase,
  },
};
