/** A part of the proof of `prove -- inputs`, and what its plants show. */
import { expect, test } from 'vitest';
import { DecodeError } from '../../src/domain/errors.ts';
import { decodeMarketFrame } from '../../src/venues/luno/api/market-messages.ts';
import { decodeUserFrame } from '../../src/venues/luno/api/user-messages.ts';
import { inputsProver } from '../prove/inputs.ts';

test('RD27: changed answers and frames end nothing, mean nothing and place nothing', async () => {
  const result = await inputsProver.run({ seeds: 400, plant: undefined });
  expect(result.notes).toEqual([]);
  expect(result.figures).toMatchObject({ uncaught: 0, misread: 0, ordersSent: 0, parsers: 15 });
});

test('RD27: the same seeds give the same proof', async () => {
  const figures = async () => {
    const { slowestMs: _, ...rest } = (await inputsProver.run({ seeds: 20, plant: undefined }))
      .figures;
    return rest;
  };
  expect(await figures()).toEqual(await figures());
});

test.each(Object.keys(inputsProver.plants))('a planted %s is found', async (plant) => {
  const { violations } = await inputsProver.run({ seeds: 300, plant });
  expect(violations).toBeGreaterThan(0);
});

test('RD28: a frame nested 100,000 deep is a decode error', () => {
  const deep = `{"sequence":${'['.repeat(100_000)}1234567890123456${']'.repeat(100_000)}}`;
  expect(() => decodeMarketFrame(deep)).toThrow(DecodeError);
  expect(() => decodeUserFrame(deep)).toThrow(DecodeError);
});
