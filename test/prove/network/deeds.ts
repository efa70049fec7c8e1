/** What can be done to an HTTP exchange; each fault does one of these to what it is for. */
import { parseWireJson, stringifyWireJson } from '../../../src/venues/luno/api/wire-json.ts';
import type { FaultHooks } from './fault.ts';
import { type Answer, bytesOf, type HttpExchange } from './http-exchange.ts';

export type Deed = (exchange: HttpExchange) => unknown;

/** The hooks of a fault that does `deed` to every request of these operations. */
export function to(operations: readonly string[] | 'all', deed: Deed): FaultHooks {
  return {
    http: (exchange) => {
      if (operations !== 'all' && !operations.includes(exchange.operation)) return false;
      // An exchange that does not answer is met by the bot as it is.
      void (async () => deed(exchange))().catch(() => exchange.reset());
      return true;
    },
  };
}

export function answerOf(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const date = new Date(Date.now()).toUTCString();
  const type = 'application/json';
  return {
    status,
    headers: { 'content-type': type, date, ...headers },
    body: Buffer.from(body),
  };
}

export function errorOf(status: number, code: string): Answer {
  return answerOf(status, JSON.stringify({ error: code, error_code: code }));
}

export const page = (status: number): Answer =>
  answerOf(status, `<html><body><h1>${status}</h1></body></html>`, { 'content-type': 'text/html' });

/** The request arrives nowhere, and nobody answers. */
export const lose: Deed = () => {};

/** The request arrives, and nobody answers. */
export const loseAnswer: Deed = (exchange) => exchange.forward();

export const resetBefore: Deed = (exchange) => exchange.reset();

export const resetAfter: Deed = async (exchange) => {
  await exchange.forward();
  exchange.reset();
};

/** The request arrives so much later, and its answer follows. */
export const delay =
  (ms: number): Deed =>
  async (exchange) => {
    await later(ms);
    exchange.reply(await exchange.forward());
  };

/** The request arrives at once, its answer so much later. */
export const delayAnswer =
  (ms: number): Deed =>
  async (exchange) => {
    const answer = await exchange.forward();
    await later(ms);
    exchange.reply(answer);
  };

/** Another answer; the request does not arrive. */
export const answerInstead =
  (answer: () => Answer): Deed =>
  (exchange) =>
    exchange.reply(answer());

/** The request arrives, and is answered otherwise than it was. */
export const answerOtherwise =
  (change: (answer: Answer) => Answer): Deed =>
  async (exchange) =>
    exchange.reply(change(await exchange.forward()));

/** The body of the true answer, changed as JSON. */
export const changeBody = (change: (body: never) => object): Deed =>
  answerOtherwise((answer) => ({
    ...answer,
    body: Buffer.from(stringifyWireJson(change(parseWireJson(answer.body.toString()) as never))),
  }));

/** The request arrives twice, one after the other; the second answer is given. */
export const repeat: Deed = async (exchange) => {
  await exchange.forward();
  exchange.reply(await exchange.forward());
};

/** The request arrives and is answered, and arrives again so much later. */
export const repeatLater =
  (ms: number): Deed =>
  async (exchange) => {
    exchange.reply(await exchange.forward());
    await later(ms);
    await exchange.forward();
  };

/** The answer ends in the middle of its body. */
export const cutBody: Deed = async (exchange) => {
  const bytes = bytesOf(await exchange.forward());
  exchange.raw(bytes.subarray(0, bytes.length - 12), 'close');
};

/** As {@link cutBody}, and the connection is reset. */
export const resetInBody: Deed = async (exchange) => {
  const bytes = bytesOf(await exchange.forward());
  exchange.raw(bytes.subarray(0, bytes.length - 12), 'reset');
};

export const resetInHeaders: Deed = async (exchange) => {
  exchange.raw(bytesOf(await exchange.forward()).subarray(0, 40), 'reset');
};

/** The length that is stated is wrong by `more`. */
export const misstateLength =
  (more: number): Deed =>
  async (exchange) => {
    const answer = await exchange.forward();
    const length = String(Math.max(0, answer.body.length + more));
    exchange.raw(bytesOf(answer, { 'content-length': length }), 'open');
  };

/** The answer comes byte by byte. */
export const drip =
  (everyMs: number): Deed =>
  async (exchange) =>
    exchange.drip(bytesOf(await exchange.forward()), everyMs);

/** The answer comes twice on the same connection, which stays. */
export const answerTwice: Deed = async (exchange) => {
  const bytes = bytesOf(await exchange.forward());
  exchange.raw(Buffer.concat([bytes, bytes]), 'open');
};

/** The answer is followed by the same one again, a moment later. */
export const answerAgain =
  (ms: number): Deed =>
  async (exchange) => {
    const answer = await exchange.forward();
    const { socket } = exchange;
    exchange.reply(answer);
    await later(ms);
    if (socket?.destroyed === false) socket.write(bytesOf(answer));
  };

export function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
