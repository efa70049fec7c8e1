/**
 * Whatever the network delivers, the readers answer with a value or a DecodeError.
 *
 * Method: 10,000 golden frames and bodies, each changed by one to three random mutations. Every
 * reader sees every mutant, so a market frame also arrives as a user frame and as the body of an
 * answer.
 */
import { expect, test } from 'vitest';
import { readReply } from '../../../src/client/read-reply.ts';
import { DecodeError } from '../../../src/domain/errors.ts';
import { decodeMarketFrame } from '../../../src/interface/market-stream.ts';
import { operations } from '../../../src/interface/operations.ts';
import { decodeUserFrame } from '../../../src/interface/user-stream.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import {
  type ErrorSamples,
  type FrameSamples,
  operationNames,
  readOperationSamples,
  readSamples,
} from '../interface/wire-samples.ts';

const mutantCount = 10_000;
const seed = 20_261_120;

const hostileValues = [
  ...['null', 'true', '-1', '0', '1e400', '-0', '1e3', '9007199254740993', '1'.repeat(400)],
  ...['"9007199254740993"', '"-1"', '"1e3"', '""', '"\\u0000"', '"\\ud800"', '[]', '{}', '[[]]'],
  ...['{"__proto__":{"x":1}}', '"__proto__"', 'NaN', '"١٢"', '"0x10"', '1000000000000000000'],
  `${'['.repeat(3_000)}1234567890123456${']'.repeat(3_000)}`,
];

const samples = [
  ...readSamples<FrameSamples>('market-stream').frames.map((frame) => frame.text),
  ...readSamples<FrameSamples>('user-stream').frames.map((frame) => frame.text),
  ...readOperationSamples().flatMap(({ responses }) => responses.map((one) => one.text)),
  ...readSamples<ErrorSamples>('errors').answers.map((one) => one.text),
];

function mutate(text: string, random: SeededRandom): string {
  const at = random.integer(0, text.length);
  const to = Math.min(text.length, at + random.integer(1, 12));
  switch (random.integer(0, 6)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + text.slice(to);
    case 2:
      return text.slice(0, to) + text.slice(at);
    case 3:
      return text.slice(0, at) + String.fromCharCode(random.integer(0, 0xffff)) + text.slice(to);
    case 4: {
      // A whole value becomes another one, so that the text stays JSON.
      const values = [...text.matchAll(/(?<=:)(?:"[^"]*"|-?[\d.]+|null|true|false)/gu)];
      if (values.length === 0) return text;
      const { 0: old, index } = random.pick(values);
      return text.slice(0, index) + random.pick(hostileValues) + text.slice(index + old.length);
    }
    case 5:
      return text.replace(/"(?=:)/u, '_"');
    default:
      return text.replace('{', `{"__proto__":${random.pick(hostileValues)},`);
  }
}

function isDecodeError(read: () => unknown): boolean {
  try {
    read();
    return false;
  } catch (error) {
    if (error instanceof DecodeError) return true;
    throw error;
  }
}

test(`${mutantCount} mutants give values, decode errors and replies, and nothing else`, () => {
  const random = new SeededRandom(seed);
  const replies = new Map<string, number>();
  let decodeErrorCount = 0;
  let slowestMs = 0;
  for (let i = 0; i < mutantCount; i++) {
    let text = random.pick(samples);
    for (let n = random.integer(1, 3); n > 0; n--) text = mutate(text, random);
    const startMs = performance.now();
    try {
      if (isDecodeError(() => decodeMarketFrame(text))) decodeErrorCount++;
      if (isDecodeError(() => decodeUserFrame(text))) decodeErrorCount++;
      const name = random.pick(operationNames);
      const reply = readReply(
        {
          kind: 'answer',
          status: random.pick([200, 200, 200, 204, 302, 400, 401, 404, 429, 500]),
          headers: { date: random.pick(['', 'x', 'Fri, 20 Nov 2026 11:10:49 GMT']) },
          body: Buffer.from(text),
        },
        operations[name].response,
        name,
        (told) => told,
      );
      replies.set(reply.kind, (replies.get(reply.kind) ?? 0) + 1);
    } catch (error) {
      throw new Error(`seed ${seed}, mutant ${i}: ${text.slice(0, 500)}`, { cause: error });
    }
    slowestMs = Math.max(slowestMs, performance.now() - startMs);
  }
  console.info(`slowest of ${mutantCount} mutants: ${slowestMs.toFixed(1)} ms`);
  // All kinds were met, or the mutants were not worth much.
  expect([...replies.keys()].sort()).toEqual(['no-answer', 'ok', 'refused']);
  expect(decodeErrorCount).toBeGreaterThan(mutantCount / 2);
  expect(({} as { x?: number }).x).toBe(undefined);
});

test('a frame nested 100,000 deep is a decode error', () => {
  const deep = `{"sequence":${'['.repeat(100_000)}1234567890123456${']'.repeat(100_000)}}`;
  expect(() => decodeMarketFrame(deep)).toThrow(DecodeError);
  expect(() => decodeUserFrame(deep)).toThrow(DecodeError);
});
