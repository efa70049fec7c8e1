/** Reads a latency: a fixed span, bounds to draw from, or a list of measurements to draw from. */
import { isMap, isSeq, type Node } from 'yaml';
import type { Latency } from '../domain/trading-conditions.ts';
import { object, refuse, valueField } from './field.ts';
import { spanUs } from './unit-fields.ts';

const samplesMax = 10_000;

const span = spanUs({
  minUs: 0,
  maxUs: 60_000_000,
  allowed: 'a whole number with us, ms or s, at most 60s, such as "2ms"',
  unit: 'ms',
});
const bounds = object({ from: span, to: span });

const allowed =
  'a span such as "2ms", bounds { from: "1ms", to: "4ms" }, or a list of measurements';

const { schema: spanSchema } = span.about;
const schema = {
  anyOf: [
    spanSchema,
    {
      type: 'object',
      properties: { from: spanSchema, to: spanSchema },
      required: ['from', 'to'],
      additionalProperties: false,
    },
    { type: 'array', items: spanSchema, minItems: 1, maxItems: samplesMax },
  ],
};

export const latency = valueField<Latency>({ allowed, schema }, (cursor) => {
  const { node, reader, path } = cursor;
  if (isMap(node)) {
    const given = bounds(cursor);
    if (given?.from === undefined || given.to === undefined) return undefined;
    if (given.from > given.to) {
      const message = `was from ${given.from / 1_000} ms to ${given.to / 1_000} ms`;
      reader.report(path, { message, allowed: 'a `to` that is at least `from`' });
      return undefined;
    }
    return { kind: 'between', fromUs: given.from, toUs: given.to };
  }
  if (isSeq(node)) {
    const { items } = node;
    if (items.length === 0 || items.length > samplesMax)
      return refuse(cursor, `1 to ${samplesMax} measurements, such as ["900us", "2ms"]`);
    const samplesUs = items.map((item, index) =>
      span({ reader, path: [...path, index], node: item as Node }),
    );
    const known = samplesUs.filter((us) => us !== undefined);
    return known.length === items.length ? { kind: 'measured', samplesUs: known } : undefined;
  }
  const us = span(cursor);
  return us === undefined ? undefined : { kind: 'fixed', us };
});
