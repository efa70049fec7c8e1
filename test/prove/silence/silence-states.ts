/** Each cause for which a bot does not trade, and how a real bot comes into it. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TradingBlockKind } from '../../../src/domain/trading-block.ts';
import { answerInstead, answerOf, errorOf, lose, to } from '../network/deeds.ts';
import type { Changes, SilencePlace } from './silence-place.ts';

export type SilenceState = {
  readonly name: string;
  readonly kind: TradingBlockKind;
  /** What all three must say. */
  readonly reason: RegExp;
  readonly changes?: Changes;
  /** Brings it about; the bot trades already unless `isFromStart`. */
  readonly provoke?: (place: SilencePlace) => unknown;
  readonly isFromStart?: boolean;
  /** The line of the terminal, where it is not the one that says that it does not trade. */
  readonly line?: RegExp;
  /** Ends it; a line must say that trading goes on. */
  readonly undo?: 'paste' | ((place: SilencePlace) => unknown);
  /** Whether the bot ends with it. */
  readonly endsBot?: boolean;
};

const doing = (what: string): readonly [string, string] => ['does: quotes', `does: ${what}`];
const endFault = ({ proxy }: SilencePlace): Promise<void> => proxy.end();
const failing = answerInstead(() => errorOf(500, 'ErrInternal'));
const standMs = 7_000;
const aheadMs = 3 * 3_600_000;

function setStatus({ server }: SilencePlace, status: 'ACTIVE' | 'SUSPENDED'): void {
  const { simulator } = server;
  simulator.control({ kind: 'set-status', pair: 'XBTZAR', status }, simulator.timeMicros);
}

function cutStreams({ proxy }: Pick<SilencePlace, 'proxy'>): void {
  for (const name of ['market', 'user'] as const)
    for (const line of proxy.linesOf(name)) line.reset();
}

const ofPeople: readonly SilenceState[] = [
  {
    ...{ name: 'halted by a person', kind: 'halted', reason: /bot is HALTED: a look at it/u },
    provoke: (place) => place.operate('halt', 'a look at it'),
    undo: 'paste',
  },
  {
    ...{ name: 'reduced by a person', kind: 'reducing', reason: /bot is REDUCING: less of it/u },
    provoke: (place) => place.operate('reduce', 'less of it'),
    undo: 'paste',
  },
  {
    ...{ name: 'needs an approval', kind: 'approval', reason: /needs a person's approval/u },
    changes: [['approveAbove: { ZAR: "150000" }', 'approveAbove: { ZAR: "1000" }']],
    isFromStart: true,
  },
  {
    ...{ name: 'the bot stops', kind: 'stopping', reason: /the bot is stopping: SIGTERM/u },
    ...{ line: /stopping: SIGTERM/u, endsBot: true },
    provoke: ({ bot }) => bot.signal('SIGTERM'),
  },
];

const ofLimits: readonly SilenceState[] = [
  {
    ...{ name: 'halted by the loss of the day', kind: 'halted' },
    reason: /bot is HALTED: the loss of the day is/u,
    changes: [doing('churns'), ['lossDayMax: { ZAR: "500000" }', 'lossDayMax: { ZAR: "5" }']],
    isFromStart: true,
  },
  {
    ...{ name: 'cool-down after losses', kind: 'cool-down', reason: /it cools down after losing/u },
    changes: [doing('churns'), ['losingTrades: { max: 1000', 'losingTrades: { max: 1']],
    isFromStart: true,
  },
  {
    ...{ name: 'refused by a limit', kind: 'refused', reason: /is refused: ORDER_VOLUME/u },
    changes: [['orderBaseMax: "0.02"', 'orderBaseMax: "0.005"']],
    isFromStart: true,
  },
  {
    ...{ name: 'halted by post-only orders that would trade', kind: 'halted' },
    reason: /strategy:maker is HALTED: 6 rejected orders within 60 s/u,
    changes: [doing('crosses'), ['rejections: { max: 1000', 'rejections: { max: 5']],
    isFromStart: true,
  },
  {
    ...{ name: 'waits for the call limit', kind: 'call-limit' },
    reason: /waits for the limit on calls/u,
    changes: [doing('floods')],
    isFromStart: true,
  },
];

const ofStrategy: readonly SilenceState[] = [
  {
    ...{ name: 'the strategy threw', kind: 'strategy-ended' },
    reason: /its strategy has ended: threw: .*a mistake of the strategy/u,
    changes: [doing('throws')],
    isFromStart: true,
  },
  {
    ...{ name: 'the strategy asks for nonsense', kind: 'strategy-ended' },
    reason: /its strategy has ended: invalid/u,
    changes: [doing('nonsense')],
    isFromStart: true,
  },
  {
    ...{ name: 'the strategy idles', kind: 'idle', reason: /nothing is worth a trade/u },
    line: /maker XBTZAR is idle: nothing is worth a trade/u,
    changes: [doing('idles')],
    isFromStart: true,
  },
  {
    ...{ name: 'the strategy has asked for nothing', kind: 'no-request' },
    reason: /has not requested an order yet/u,
    changes: [doing('nothing')],
    isFromStart: true,
  },
  {
    ...{ name: 'a feed has no value', kind: 'feed' },
    reason: /feed reference has had no value since the start/u,
    changes: [
      doing('follows'),
      [
        'strategies:',
        'feeds: { reference: { file: reference.txt, every: 1s, ageMax: 1h } }\nstrategies:',
      ],
      ['pairs: [XBTZAR]', 'pairs: [XBTZAR]\n    feeds: [reference]'],
    ],
    isFromStart: true,
    undo: ({ config }) => writeFileSync(join(dirname(config), 'reference.txt'), '1000000\n'),
  },
];

const ofExchange: readonly SilenceState[] = [
  {
    ...{ name: 'an order with unknown outcome', kind: 'unknown-order' },
    reason: /the outcome of (?:BID|ASK) 0\.010000 at \d+.* is unknown/u,
    changes: [doing('moves')],
    provoke: ({ proxy }) => void proxy.begin(to(['postorder'], lose)),
  },
  {
    ...{ name: 'paused by a 429', kind: 'throttled', reason: /too many \(429\)/u },
    provoke: ({ proxy }) => {
      const refused = errorOf(429, 'ErrTooManyRequests');
      // The fault must be over before the pause, also where commands take seconds.
      const answer = { ...refused, headers: { ...refused.headers, 'retry-after': '20' } };
      void proxy.begin(
        to(
          // Not of orders: their outcome would be unknown, which is another state.
          ['transactions', 'balance', 'listtrades'],
          answerInstead(() => answer),
        ),
      );
      cutStreams({ proxy });
    },
    undo: endFault,
  },
  {
    ...{
      name: 'the market is suspended, and the orders may take',
      kind: 'market-closed',
      reason: /its status is (?:POST_ONLY|SUSPENDED)/u,
    },
    changes: [doing('may take')],
    provoke: (place) => setStatus(place, 'SUSPENDED'),
    undo: (place) => setStatus(place, 'ACTIVE'),
  },
  {
    ...{ name: 'rejected by the exchange', kind: 'rejected', reason: /rejected (?:bid|ask)/u },
    provoke: ({ proxy }) =>
      void proxy.begin(
        to(
          ['postorder'],
          answerInstead(() => errorOf(400, 'ErrInsufficientBalance')),
        ),
      ),
    changes: [doing('moves')],
  },
  {
    ...{ name: 'the key is refused', kind: 'halted', reason: /exchange refuses the key/u },
    provoke: ({ server }) => {
      const { simulator, credentials } = server;
      const control = { kind: 'revoke-key', keyId: credentials.api_key_id } as const;
      simulator.control(control, simulator.timeMicros);
    },
    changes: [doing('moves')],
  },
];

const ofKnowledge: readonly SilenceState[] = [
  {
    ...{ name: 'inputs of the gate are missing', kind: 'not-started' },
    reason: /its strategy has not started: it waits for .*book of XBTZAR/u,
    provoke: ({ proxy }) => void proxy.begin({ frame: ({ name }) => name === 'market' }),
    isFromStart: true,
    undo: async (place) => {
      await endFault(place);
      cutStreams(place);
    },
  },
  {
    ...{ name: 'the market stream is silent', kind: 'book' },
    reason: /the book of XBTZAR is unusable: its stream is silent/u,
    provoke: ({ proxy }) => void proxy.begin({ frame: ({ name }) => name === 'market' }),
    undo: async (place) => {
      await endFault(place);
      cutStreams(place);
    },
  },
  {
    ...{ name: 'the market stream is away', kind: 'book' },
    reason: /the book of XBTZAR is unusable: /u,
    provoke: (place) => {
      void place.proxy.begin({
        upgrade: (name, { socket }) => {
          if (name === 'market') socket.destroy();
          return name === 'market';
        },
      });
      for (const line of place.proxy.linesOf('market')) line.reset();
    },
    undo: endFault,
  },
  {
    ...{ name: 'nothing can be compared', kind: 'not-reconciled' },
    reason: /do not agree with the exchange's: .*cannot be read/u,
    provoke: (place) => {
      void place.proxy.begin(to(['transactions', 'balance', 'listtrades'], failing));
      for (const line of place.proxy.linesOf('user')) line.reset();
    },
    undo: endFault,
  },
  {
    ...{ name: 'the clocks differ', kind: 'clock', reason: /clock and the exchange's differ/u },
    provoke: ({ proxy }) => {
      void proxy.begin(
        to('all', async (exchange) => {
          const { status, headers, body } = await exchange.forward();
          const date = new Date(Date.now() + aheadMs).toUTCString();
          exchange.reply(answerOf(status, String(body), { ...headers, date }));
        }),
      );
    },
    changes: [doing('moves')],
  },
  {
    ...{ name: 'the process stood still', kind: 'standstill' },
    reason: /the process stood still for \d+ s/u,
    // It would be over within a second if its comparison succeeded.
    provoke: async ({ bot, proxy }) => {
      bot.signal('SIGSTOP');
      await new Promise((resolve) => setTimeout(resolve, standMs));
      void proxy.begin(to(['transactions'], failing));
      bot.signal('SIGCONT');
    },
    undo: endFault,
  },
];

export const silenceStates: readonly SilenceState[] = [
  ...ofPeople,
  ...ofLimits,
  ...ofStrategy,
  ...ofExchange,
  ...ofKnowledge,
];
