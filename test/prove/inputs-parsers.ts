/**
 * Every reader of what the network brings, the good ones and the planted ones, and what a reading
 * may be: a value of plain members, a decode error, or a reply that proves nothing.
 */
import { DecodeError } from '../../src/domain/errors.ts';
import { isPlainDecimal } from '../../src/domain/money.ts';
import { type MessageValues, valuesOfJson, valuesOfRow } from '../../src/feeds/message-values.ts';

import { decodeErrorBody } from '../../src/venues/luno/api/error-body.ts';
import { decodeMarketFrame } from '../../src/venues/luno/api/market-messages.ts';
import { type OperationName, operations } from '../../src/venues/luno/api/operations.ts';
import type { Reply } from '../../src/venues/luno/api/reply.ts';
import { parseWireJson } from '../../src/venues/luno/api/wire-json.ts';
import { readReply } from '../../src/venues/luno/client/read-reply.ts';
import { decodedOrReason } from '../../src/venues/luno/client/stream.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { reportIn } from '../support/user-frames.ts';

/** The answers that a bot reads. */
export const readOperations = [
  ...['markets', 'ticker', 'balance', 'transactions', 'feeInfo', 'postorder', 'stoporder'],
  ...['listOrdersV2', 'getOrderV3', 'listtrades'],
] as readonly OperationName[];

export type Body = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
};

export type Parser = {
  readonly name: string;
  /** Whose samples are changed. */
  readonly sample: OperationName | 'market' | 'user' | 'errors' | 'feed' | 'table';
  /** Returns what was read; a text says why nothing was. */
  readonly read: (body: Body) => unknown;
};

/** Returns the readers; a plant takes the place of some of them. */
export function parsersWith(plant: string | undefined): readonly Parser[] {
  const reply = plant === undefined ? readBody : (plantedReaders[plant] ?? readBody);
  return [
    ...readOperations.map((name) => ({
      name,
      sample: name,
      read: (body: Body) => reply(name, body),
    })),
    { name: 'error body', sample: 'errors', read: (body) => reply('getOrderV3', body) },
    { name: 'market stream', sample: 'market', read: frameReader(decodeMarketFrame) },
    {
      name: 'user stream',
      sample: 'user',
      read: frameReader((text) => ({ report: reportIn(text) })),
    },
    {
      name: 'feed',
      sample: 'feed',
      read: feedReader(plant === 'feed-floats' ? valuesAsFloats : valuesOfJson),
    },
    {
      name: 'table of a feed',
      sample: 'table',
      read: feedReader((text, rule) => valuesOfRow(feedColumns, text, rule)),
    },
  ];
}

/** What feeds say, by the rule of {@link feedReader}. */
export const feedSamples: readonly string[] = [
  '{"data":[{"bid":"1012000.10","ask":1012350.5}],"at":1764374400250}',
  '{"at":"2025-11-29T00:00:00.250Z","data":{"0":{"ask":1e6,"bid":0.000000000000000001}}}',
  '{"data":[{"bid":123456789012345678901.5,"ask":"2"},{"bid":1}],"at":1764374400}',
];
const feedColumns = 'at,data.0.bid,data.0.ask';
export const tableSamples: readonly string[] = [
  '1764374400250,1012000.10,1012350.5',
  '2025-11-29T00:00:00.250Z,0.000000000000000001,123456789012345678901.5',
];

type FeedReader = typeof valuesOfJson;

/** Reads as the feed's intake does: without an error it takes no message. */
function feedReader(read: FeedReader) {
  const rule = { fields: { bid: 'data.0.bid', ask: 'data.0.ask' }, time: 'at' };
  return ({ bytes }: Body): unknown => {
    try {
      return read(Buffer.from(bytes).toString(), rule);
    } catch (error) {
      if (error instanceof DecodeError) return error.message;
      throw error;
    }
  };
}

const valuesAsFloats: FeedReader = (text, rule) => {
  const read = valuesOfJson(text, rule);
  const values = Object.entries(read.values).map(([name, value]) => [name, String(Number(value))]);
  return { ...read, values: Object.fromEntries(values) };
};

/** What each plant breaks. */
export const parserPlants: Readonly<Record<string, string>> = {
  'reader-that-throws': 'a list that is missing is used without a look',
  'accepts-proto': 'members are copied by assignment, so that __proto__ changes the object',
  'feed-floats': 'numbers of a feed become JavaScript numbers',
  'long-numbers': 'integers of 64 bits become JavaScript numbers',
  'page-is-not-found': 'a 404 page counts as the word of the exchange that there is no such order',
};

type ReplyReader = (name: OperationName, body: Body) => unknown;

const plantedReaders: Readonly<Record<string, ReplyReader>> = {
  'reader-that-throws': (name, body) => {
    const text = Buffer.from(body.bytes).toString();
    const value = text.startsWith('{"') && isJson(text) ? JSON.parse(text) : undefined;
    if (name === 'listtrades' && value !== undefined) value.trades.length;
    return readBody(name, body);
  },
  'accepts-proto': (name, body) => {
    const read = readBody(name, body);
    const text = Buffer.from(body.bytes).toString();
    if (read.kind !== 'ok' || !isJson(text)) return read;
    const copied: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(JSON.parse(text) as object)) copied[key] = value;
    return { ...read, body: copied };
  },
  'long-numbers': (name, body) => {
    const text = Buffer.from(body.bytes).toString();
    if (!isJson(text)) return readBody(name, body);
    const rounded = text.replace(/(?<=:)\d{16,19}(?=[,}\]])/gu, (digits) =>
      BigInt(Number(digits)).toString(),
    );
    return readBody(name, { ...body, bytes: Buffer.from(rounded) });
  },
  'page-is-not-found': (name, body) => {
    const read = readBody(name, body);
    if (read.kind !== 'no-answer' || body.status !== 404) return read;
    return { kind: 'refused', status: 404, code: 'ErrOrderNotFound', message: '' };
  },
};

function readBody(name: OperationName, { status, headers, bytes }: Body): Reply {
  const outcome = { kind: 'answer', status, headers, body: bytes } as const;
  return readReply(outcome, operations[name].response, name, (told) => told);
}

function frameReader<Message extends object>(decode: (text: string) => Message) {
  return ({ bytes }: Body): unknown =>
    decodedOrReason(decode, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
}

/** Returns the status and headers that a body may come with. */
export function randomHead(random: SeededRandom): Omit<Body, 'bytes'> {
  const status = random.pick([
    200, 200, 200, 200, 204, 302, 307, 400, 401, 404, 404, 409, 429, 500,
  ]);
  const date = random.pick([
    ...['', 'x', 'Fri, 20 Nov 2026 11:10:49 GMT', 'Thu, 01 Jan 1970 00:00:00 GMT'],
    'Fri, 31 Dec 9999 23:59:59 GMT',
  ]);
  const more: Record<string, string> = {};
  if (random.fraction() < 0.05) more['content-encoding'] = random.pick(['gzip', 'br', 'identity']);
  if (random.fraction() < 0.05)
    more['retry-after'] = random.pick(['-1', '1e9', '99999999999', 'x']);
  if (random.fraction() < 0.05) more['content-length'] = '209715200';
  return { status, headers: { date, ...more } };
}

/** Returns what is wrong with a reading, in words. */
export function faultOf(parser: Parser, body: Body, read: unknown): string | undefined {
  const text = Buffer.from(body.bytes).toString();
  if (({} as { x?: unknown }).x !== undefined) return 'the prototype of all objects has changed';
  if (typeof read !== 'object' || read === null)
    return typeof read === 'string' ? undefined : `read as ${typeof read}`;
  const odd = oddMember(read, text);
  if (odd !== undefined) return odd;
  if (parser.sample === 'market' || parser.sample === 'user') return undefined;
  if (parser.sample === 'feed' || parser.sample === 'table')
    return feedFault(read as MessageValues, text);
  const reply = read as Reply;
  const isGood = body.status >= 200 && body.status < 300;
  if (reply.kind === 'ok' && !isGood) return `status ${body.status} read as a good answer`;
  if (reply.kind === 'not-sent') return 'an answer says that nothing was sent';
  const isCoded = decodeErrorBody(parsed(text)) !== undefined;
  const hasMeaning = body.status === 401 || body.status === 403 || body.status === 429;
  if (reply.kind === 'refused' && !isCoded && !hasMeaning) return `${reply.code} was never said`;
  return undefined;
}

/** What a feed said has a number for each field, with the digits of the text. */
function feedFault({ values, timeMs }: MessageValues, text: string): string | undefined {
  if (Object.keys(values).join() !== 'bid,ask') return 'a field is missing';
  if (timeMs !== undefined && !Number.isFinite(timeMs)) return `a time is ${timeMs}`;
  for (const [field, value] of Object.entries(values)) {
    if (!isPlainDecimal(value)) return `${field} is no plain decimal`;
    // Escapes and exponents write the same digits in another way.
    if (!/\\|\d[eE]/u.test(text) && !text.includes(value)) return `${value} is not in the text`;
  }
  return undefined;
}

/** A member that is no plain data, or an id with digits that the text does not have. */
function oddMember(value: unknown, text: string): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return `a member is ${value}`;
  if (typeof value === 'string') {
    // Escapes and exponents write the same digits in another way.
    const isLong = /^\d{16,19}$/u.test(value) && !/\\|\d[eE]/u.test(text);
    return isLong && !text.includes(value) ? `${value} is not in the text` : undefined;
  }
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
  if (typeof value !== 'object' || value === null) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null)
    return 'a member is of a foreign kind';
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__') return 'a member is named __proto__';
    const odd = oddMember(inner, text);
    if (odd !== undefined) return odd;
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return parseWireJson(text.replace(/^\ufeff/u, ''));
  } catch {
    return undefined;
  }
}

function isJson(text: string): boolean {
  return parsed(text) !== undefined;
}
