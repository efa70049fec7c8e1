/**
 * Bugs that the network proof must find: in the bot's own process, on the prototypes of the code
 * there, or in the proof itself.
 */
import http from 'node:http';
import { Pool } from 'undici';
import { FillBook } from '../../../src/execution/fills/fill-book.ts';

type NetworkPlant = {
  readonly meaning: string;
  /** The fault that brings it to light. */
  readonly fault: string;
  /** What must be said of it; anything else that is wrong does not count. */
  readonly said: RegExp;
  /** Breaks the code of the bot's process; one of the proof itself breaks nothing there. */
  readonly install?: () => void;
};

/** A proxy that goes on taking every order itself when its fault is over. */
export const claimsRecovery = 'claims-recovery';

const plants: Readonly<Record<string, NetworkPlant>> = {
  'sends-again': {
    meaning: 'an order without an answer is sent again under a new id',
    fault: 'post reset after it arrived',
    said: /was never stored/u,
    install: sendAgain,
  },
  'counts-twice': {
    meaning: 'a fill that the user stream reports twice is booked twice',
    fault: 'user stream reports each fill three times',
    said: /never happened/u,
    install: countTwice,
  },
  'trusts-stream': {
    meaning: 'a fill that the user stream did not report is not booked',
    fault: 'user stream reports no fill',
    said: /is not booked/u,
    install: trustStream,
  },
  'stays-away': {
    meaning: 'a stream that was lost is not opened again',
    fault: 'market stream closed with each code',
    said: /no trade within/u,
    install: stayAway,
  },
  [claimsRecovery]: {
    meaning: 'after the fault the proxy takes the orders itself, and none reaches the exchange',
    fault: 'post answer lost',
    said: /no trade within/u,
  },
};

/** Each plant with what it breaks. */
export const networkPlants: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(plants).map(([name, { meaning }]) => [name, meaning]),
);

/** Returns the plant `name`. */
export function networkPlantOf(name: string): NetworkPlant {
  const plant = Object.hasOwn(plants, name) ? plants[name] : undefined;
  if (plant === undefined) throw new RangeError(`no plant ${name}`);
  return plant;
}

/** Below the egress guard, which would not let the second order out. */
function sendAgain(): void {
  const { dispatch } = Pool.prototype;
  let count = 0;
  Pool.prototype.dispatch = function (this: Pool, options, handler): boolean {
    if (!options.path.endsWith('/postorder')) return dispatch.call(this, options, handler);
    return dispatch.call(this, options, {
      onRequestStart: (...given) => handler.onRequestStart?.(...given),
      onResponseStart: (...given) => handler.onResponseStart?.(...given),
      onResponseData: (...given) => handler.onResponseData?.(...given),
      onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
      onResponseError: () => {
        const form = new URLSearchParams(String(options.body));
        form.set('client_order_id', `${form.get('client_order_id')}-${++count}`);
        form.set('timestamp', String(Date.now()));
        dispatch.call(this, { ...options, body: form.toString() }, handler);
      },
    });
  };
}

function countTwice(): void {
  const { noteUserFill, book } = FillBook.prototype;
  const seen = new Set<string>();
  const seenTwice = new Set<string>();
  FillBook.prototype.noteUserFill = function (this: FillBook, report): void {
    const key = `${report.orderId} ${report.filled}`;
    if (seen.has(key)) seenTwice.add(report.orderId);
    seen.add(key);
    noteUserFill.call(this, report);
  };
  FillBook.prototype.book = function (this: FillBook, trade): boolean {
    const isNew = book.call(this, trade);
    if (isNew && seenTwice.has(trade.orderId))
      book.call(this, { ...trade, sequence: String(BigInt(trade.sequence) + 1_000_000n) });
    return isNew;
  };
}

function trustStream(): void {
  const { noteUserFill, book } = FillBook.prototype;
  const seen = new Set<string>();
  FillBook.prototype.noteUserFill = function (this: FillBook, report): void {
    seen.add(report.orderId);
    noteUserFill.call(this, report);
  };
  FillBook.prototype.book = function (this: FillBook, trade): boolean {
    return seen.has(trade.orderId) && book.call(this, trade);
  };
}

/** The websockets of a path that was open before go to a port where nobody listens. */
function stayAway(): void {
  const { request } = http;
  const opened = new Set<string>();
  const elsewhere = (options: http.RequestOptions, ...rest: []): http.ClientRequest => {
    const { path } = options;
    const isUpgrade = typeof path === 'string' && path.startsWith('/api/1/');
    if (!isUpgrade) return request(options, ...rest);
    const isLost = opened.has(path);
    opened.add(path);
    return request(isLost ? { ...options, port: 9 } : options, ...rest);
  };
  http.request = elsewhere as typeof request;
}
