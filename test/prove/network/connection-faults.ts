/** Faults of the connections themselves, and of what every answer carries. */
import {
  answerAgain,
  answerInstead,
  answerOf,
  answerOtherwise,
  answerTwice,
  type Deed,
  delay,
  drip,
  lose,
  page,
  resetInHeaders,
  to,
} from './deeds.ts';
import type { Fault } from './fault.ts';
import { bytesOf } from './http-exchange.ts';

const everything = (name: string, deed: () => Deed, more: Partial<Fault> = {}): Fault => ({
  name,
  hooks: () => to('all', deed()),
  ...more,
});

const hourMs = 3_600_000;

/** The exchange's clock, as every answer tells it. */
const dated = (name: string, date: (before: number) => string | undefined): Fault =>
  everything(name, () =>
    answerOtherwise((answer) => {
      const { date: before = '', ...headers } = answer.headers;
      const told = date(Date.parse(before));
      return { ...answer, headers: told === undefined ? headers : { ...headers, date: told } };
    }),
  );

export const clockFaults: readonly Fault[] = [
  dated('clock three hours ahead', (before) => new Date(before + 3 * hourMs).toUTCString()),
  dated('clock three hours behind', (before) => new Date(before - 3 * hourMs).toUTCString()),
  dated('clock not told', () => undefined),
  dated('clock that is no time', () => 'the day before yesterday'),
];

export const connectionFaults: readonly Fault[] = [
  {
    name: 'connections refused',
    hooks: () => ({
      begin: (proxy) => void proxy.shut().then(() => proxy.strike()),
      end: (proxy) => proxy.open(),
    }),
  },
  {
    name: 'connections reset when they open',
    hooks: () => ({
      begin: (proxy) => proxy.cutAll(),
      connection: (socket) => {
        socket.resetAndDestroy();
        return true;
      },
    }),
  },
  {
    name: 'connections half open',
    hooks: () => ({
      begin: (proxy) => proxy.cutAll(),
      http: () => true,
      upgrade: () => true,
    }),
  },
  {
    name: 'connections cut again and again',
    hooks: () => ({
      http: (exchange) => {
        setTimeout(() => exchange.reset(), 300);
        return true;
      },
    }),
    isLosing: true,
  },
  everything('everything unanswered', () => lose, { isLosing: true }),
  everything('everything slow', () => delay(1_000)),
  everything('everything byte by byte', () => drip(2)),
  everything('everything answered twice', () => answerTwice),
  everything('everything answered again', () => answerAgain(30)),
  everything('everything reset in the headers', () => resetInHeaders),
  everything(
    'everything redirected',
    () => answerInstead(() => answerOf(302, '', { location: 'http://127.0.0.1:9/' })),
    { isLosing: true },
  ),
  everything('everything answered with a page', () => answerInstead(() => page(503)), {
    isLosing: true,
  }),
  everything('everything answered 204', () => answerInstead(() => answerOf(204, '')), {
    isLosing: true,
  }),
  everything('everything with broken chunks', () => async (exchange) => {
    const answer = await exchange.forward();
    const { 'content-length': _, ...headers } = answer.headers;
    const head = bytesOf(
      { ...answer, headers, body: Buffer.from('zz\r\nnothing') },
      {
        'content-length': '',
        'transfer-encoding': 'chunked',
      },
    );
    exchange.raw(head, 'open');
  }),
  everything('everything with headers without end', () => async (exchange) => {
    const answer = await exchange.forward();
    exchange.raw(bytesOf(answer, { 'x-filler': 'x'.repeat(40_000) }), 'open');
  }),
  everything('every connection closed after its answer', () => async (exchange) => {
    exchange.raw(bytesOf(await exchange.forward()), 'close');
  }),
];
