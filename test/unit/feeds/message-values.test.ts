/** Numbers in the messages of feeds: exact, where the settings say, and refused otherwise. */
import { describe, expect, it } from 'vitest';
import { valuesOfJson, valuesOfRow } from '../../../src/feeds/message-values.ts';

const value = (path: string, time?: string) => ({ fields: { value: path }, time });
const read = (text: string, path = '', time?: string) => valuesOfJson(text, value(path, time));

describe('the numbers of a message', () => {
  it('keep every digit of numbers and of text', () => {
    expect(read('1012000.10').values).toEqual({ value: '1012000.10' });
    expect(read('{"value":123456789012345678901.5}').values['value']).toBe(
      '123456789012345678901.5',
    );
    expect(read('{"data":[{"last":"0.000000000000000001"}]}', 'data.0.last').values).toEqual({
      value: '0.000000000000000001',
    });
    expect(read('{"value":1.5e-7}').values['value']).toBe('0.00000015');
    expect(read('{"value":-2E3}').values['value']).toBe('-2000');
    const fields = { bid: 'b', ask: 'a' };
    expect(valuesOfJson('{"b":"1","a":2.50}', { fields, time: undefined }).values).toEqual({
      bid: '1',
      ask: '2.50',
    });
  });

  it.each([
    ['<html>', '', 'the message is not JSON: "<html>"'],
    ['', '', 'the message is not JSON: ""'],
    ['{"value":NaN}', '', /is not JSON/u],
    ['{"value":null}', '', 'the message is null, not a number'],
    ['{"other":1}', '', 'the message is missing, not a number'],
    ['{"data":{"price":true}}', 'data.price', 'data.price is true, not a number'],
    ['{"data":{"price":"1,000"}}', 'data.price', 'data.price is "1,000", not a number'],
    ['{"value":"Infinity"}', '', /is "Infinity", not a number/u],
    ['{"value":1e400}', '', /not a number/u],
    ['{"value":"0x10"}', '', /not a number/u],
    ['{"value":" 1"}', '', /not a number/u],
    ['"<script>alert(1)</script>"', '', /is "<script>alert\(1\)<\/script>", not a number/u],
    [`"${'9'.repeat(10_000)}"`, '', /^the message is "9{59}…, not a number$/u],
    ['{"a":1}', '__proto__.value', '__proto__.value is missing, not a number'],
    ['{"a":1}', 'constructor.length', 'constructor.length is missing, not a number'],
    [`${'['.repeat(60_000)}${']'.repeat(60_000)}`, '', /not (?:JSON|a number)/u],
  ])('are refused in %s', (text, path, message) => {
    expect(() => read(text.slice(0, 130_000), path)).toThrow(message);
  });
});

describe("the source's time", () => {
  const timeOf = (text: string) => read(`{"value":1,"at":${text}}`, 'value', 'at').timeMs;

  it('is a number of seconds, milliseconds, micro- or nanoseconds, or ISO 8601', () => {
    expect(timeOf('1764374400')).toBe(1_764_374_400_000);
    expect(timeOf('1764374400.25')).toBe(1_764_374_400_250);
    expect(timeOf('1764374400250')).toBe(1_764_374_400_250);
    expect(timeOf('"1764374400250000"')).toBe(1_764_374_400_250);
    expect(timeOf('1764374400250000000')).toBe(1_764_374_400_250);
    expect(timeOf('"2025-11-29T00:00:00.250Z"')).toBe(1_764_374_400_250);
    expect(timeOf('"2025-11-29T02:00:00+02:00"')).toBe(1_764_374_400_000);
  });

  it.each(['"2025-11-29T00:00:00"', '"yesterday"', 'null', '-1', '"2025-13-40T00:00:00Z"', '{}'])(
    'is refused: %s',
    (text) => {
      expect(() => timeOf(text)).toThrow(/^at is .*, not a time/u);
    },
  );
});

describe('a row of a table', () => {
  it('has its numbers by column', () => {
    const row = valuesOfRow('time_ms, bid,ask', '1764374400250,1.0, 2', {
      fields: { low: 'bid', high: 'ask' },
      time: 'time_ms',
    });
    expect(row).toEqual({ values: { low: '1.0', high: '2' }, timeMs: 1_764_374_400_250 });
    expect(valuesOfRow('value', '3', value('')).values).toEqual({ value: '3' });
  });

  it('is refused with another number of columns, and without its column', () => {
    expect(() => valuesOfRow('a,b', '1', value('a'))).toThrow(
      'the last line has 1 columns, and the first one 2',
    );
    expect(() => valuesOfRow('a,b', '1,2', value('c'))).toThrow('c is missing, not a number');
  });
});
