/** Faults of the requests that only read: errors, old answers, and answers that are not true. */
import {
  answerInstead,
  answerOtherwise,
  changeBody,
  cutBody,
  type Deed,
  errorOf,
  lose,
  misstateLength,
  page,
  resetInBody,
  to,
} from './deeds.ts';
import type { Fault } from './fault.ts';
import type { Answer } from './http-exchange.ts';

const reads = ['order', 'listorders', 'listtrades', 'transactions', 'balance', 'markets'];

const reading = (
  name: string,
  operations: readonly string[],
  deed: () => Deed,
  more: Partial<Fault> = {},
): Fault => ({ name, hooks: () => to(operations, deed()), ...more });

/** As {@link reading}, of what is only read to compare everything, as after a reconnect. */
const comparing = (name: string, operations: readonly string[], deed: () => Deed): Fault => ({
  name,
  hooks: () => ({
    ...to(operations, deed()),
    begin: (proxy) => {
      for (const line of proxy.linesOf('user')) line.reset();
    },
  }),
});

/** Every question is answered as it was the first time. */
function repeatFirst(): Deed {
  const first = new Map<string, Answer>();
  return async (exchange) => {
    const answer = first.get(exchange.path) ?? (await exchange.forward());
    first.set(exchange.path, answer);
    exchange.reply(answer);
  };
}

/** Lists as they were when the fault began, whatever is asked for. */
function repeatFirstOfKind(): Deed {
  const first = new Map<string, Answer>();
  return async (exchange) => {
    const [path = ''] = exchange.path.split('?');
    const answer = first.get(path) ?? (await exchange.forward());
    first.set(path, answer);
    exchange.reply(answer);
  };
}

/** Each question is answered with the answer to the one before it. */
function answerBefore(): Deed {
  let before: Answer | undefined;
  return async (exchange) => {
    const answer = await exchange.forward();
    exchange.reply(before ?? answer);
    before = answer;
  };
}

type Trades = { readonly trades: readonly { readonly sequence: number }[] | null };
type Rows = { readonly transactions: readonly object[] | null };

export const readFaults: readonly Fault[] = [
  reading('reads answered 500', reads, () => answerInstead(() => errorOf(500, 'ErrInternal'))),
  reading('reads answered 429', reads, () =>
    answerInstead(() => errorOf(429, 'ErrTooManyRequests')),
  ),
  reading('reads answered with a page', reads, () => answerInstead(() => page(200))),
  reading('reads unanswered', reads, () => lose),
  reading('reads cut off', reads, () => cutBody),
  reading('reads reset in their body', reads, () => resetInBody),
  reading('reads shorter than stated', reads, () => misstateLength(50)),
  reading('reads answered with the answer before', reads, answerBefore, {
    halts: /is not what was sent|is inconsistent/u,
  }),
  reading('orders not found', ['order'], () =>
    answerInstead(() => errorOf(404, 'ErrOrderNotFound')),
  ),
  reading('orders as they were', ['order'], repeatFirst),
  reading('an order of another id', ['order'], answerBefore, { halts: /is not what was sent/u }),
  comparing('lists of orders as they were', ['listorders'], repeatFirstOfKind),
  reading('trades as they were', ['listtrades'], repeatFirstOfKind),
  reading('trades twice', ['listtrades'], () =>
    changeBody(({ trades }: Trades) => ({ trades: trades?.flatMap((one) => [one, one]) ?? null })),
  ),
  reading('trades in another order', ['listtrades'], () =>
    changeBody(({ trades }: Trades) => ({ trades: trades?.toReversed() ?? null })),
  ),
  reading('no trades', ['listtrades'], () => changeBody(() => ({ trades: null }))),
  reading('a ledger as it was', ['transactions'], repeatFirstOfKind, {
    halts: /is inconsistent/u,
  }),
  reading(
    'a ledger with a gap',
    ['transactions'],
    () =>
      changeBody(({ transactions }: Rows) => ({ transactions: transactions?.slice(1) ?? null })),
    { halts: /is inconsistent/u },
  ),
  comparing('balances as they were', ['balance'], repeatFirst),
  reading('an order in a state that nobody knows', ['order'], () =>
    changeBody((order: object) => ({ ...order, status: 'DREAMING' })),
  ),
  reading('an order without its volume', ['order'], () =>
    answerOtherwise((answer) => ({
      ...answer,
      body: Buffer.from(answer.body.toString().replace('"limit_volume"', '"volume"')),
    })),
  ),
];
