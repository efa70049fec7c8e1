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

/** The exchange's clock, as every answer states it. */
const dated = (name: string, date: (before: number) => string | undefined): Fault =>
  everything(name, () =>
    answerOtherwise((answer) => {
      const { date: before = '', ...headers } = answer.headers;
      const changed = date(Date.parse(before));
      return {
        ...answer,
        headers: changed === undefined ? headers : { ...headers, date: changed },
      };
    }),
  );

const breakChunks: Deed = async (exchange) => {
  await exchange.forward();
  exchange.raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nnothing', 'open');
};

const fillHeaders: Deed = async (exchange) => {
  exchange.raw(bytesOf(await exchange.forward(), { 'x-filler': 'x'.repeat(40_000) }), 'open');
};

export const clockFaults: readonly Fault[] = [
  dated('clock three hours ahead', (before) => new Date(before + 3 * hourMs).toUTCString()),
  dated('clock three hours behind', (before) => new Date(before - 3 * hourMs).toUTCString()),
  dated('clock missing', () => undefined),
  dated('clock that is no time', () => 'the day before yesterday'),
];

export const connectionFaults: readonly Fault[] = [
  {
    name: 'connections refused',
    isLosing: true,
    hooks: () => ({
      begin: (proxy) => void proxy.shut().then(() => proxy.strike()),
      end: (proxy) => proxy.open(),
    }),
  },
  {
    name: 'connections reset when they open',
    isLosing: true,
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
    isLosing: true,
    hooks: () => ({
      begin: (proxy) => proxy.cutAll(),
      http: () => true,
      upgrade: () => true,
    }),
  },
  {
    name: 'connections forgotten, new ones work',
    isLosing: true,
    hooks: () => ({ begin: (proxy) => proxy.forgetAll() }),
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
  everything('everything answered twice at once', () => answerTwice),
  everything('everything answered again later', () => answerAgain(30)),
  everything('everything reset in the headers', () => resetInHeaders, { isLosing: true }),
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
  everything('everything with broken chunks', () => breakChunks, { isLosing: true }),
  everything('everything with headers without end', () => fillHeaders, { isLosing: true }),
  everything('every connection closed after its answer', () => async (exchange) => {
    exchange.raw(bytesOf(await exchange.forward()), 'close');
  }),
];
