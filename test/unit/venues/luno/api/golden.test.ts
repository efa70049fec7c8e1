/**
 * The declarations agree with samples written by hand from the documents: every sample is decoded
 * as expected, and documented samples are encoded back unchanged.
 */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  decodeMarketFrame,
  marketSnapshot,
  marketUpdate,
} from '../../../../../src/venues/luno/api/market-messages.ts';
import { operations } from '../../../../../src/venues/luno/api/operations.ts';
import { decodeUserFrame, userMessage } from '../../../../../src/venues/luno/api/user-messages.ts';
import { parseWireJson, stringifyWireJson } from '../../../../../src/venues/luno/api/wire-json.ts';
import { type FrameSamples, readOperationSamples, readSamples } from './wire-samples.ts';

/** Returns the JSON value of `value` as encoded by `schema`. */
function written(schema: z.ZodType, value: unknown): unknown {
  return parseWireJson(stringifyWireJson(z.encode(schema, value)));
}

for (const { operation, responses } of readOperationSamples()) {
  const schema: z.ZodType = operations[operation].response;
  describe(operation, () => {
    test.each(responses)('reads: $name', ({ text, value }) => {
      expect(schema.parse(parseWireJson(text))).toEqual(value);
    });
    test.each(responses.filter((one) => one.documented))('writes as read: $name', ({ text }) => {
      expect(written(schema, schema.parse(parseWireJson(text)))).toEqual(parseWireJson(text));
    });
  });
}

describe('market stream', () => {
  const { frames } = readSamples<FrameSamples>('market-stream');
  test.each(frames)('reads: $name', ({ text, message }) => {
    expect(decodeMarketFrame(text)).toEqual(message);
  });
  test.each(frames.filter((one) => one.documented))(
    'writes as read: $name',
    ({ text, message }) => {
      const schema = message.kind === 'snapshot' ? marketSnapshot : marketUpdate;
      expect(written(schema, schema.parse(parseWireJson(text)))).toEqual(parseWireJson(text));
    },
  );
});

describe('user stream', () => {
  const { frames } = readSamples<FrameSamples>('user-stream');
  test.each(frames)('reads: $name', ({ text, message }) => {
    expect(decodeUserFrame(text)).toEqual(message);
  });
  test.each(frames.filter((one) => one.documented))('writes as read: $name', ({ text }) => {
    expect(written(userMessage, userMessage.parse(parseWireJson(text)))).toEqual(
      parseWireJson(text),
    );
  });
});

test('a 64-bit id is the same text after reading and writing', () => {
  const { frames } = readSamples<FrameSamples>('user-stream');
  const balance = frames.find((frame) => frame.name === 'balance')?.text ?? '';
  const message = userMessage.parse(parseWireJson(balance));
  const again = stringifyWireJson(z.encode(userMessage, message));
  expect(message.balance_update?.account_id).toBe('8203463422864003664');
  expect(again).toContain('"account_id":8203463422864003664,');
});
