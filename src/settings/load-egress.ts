/**
 * Reads a file of egress caps: absolute limits that the egress guard checks just before an order is
 * sent, whatever the bot's file allows.
 */
import type { EgressCaps } from '../domain/bot-settings.ts';
import { deepFreeze, must } from './bot-fields.ts';
import { object, Reader, record } from './field.ts';
import { pairName } from './names.ts';
import { readChecked } from './read-checked.ts';
import { readSettings, type SettingsSource } from './settings-source.ts';
import { amount, wholeNumber } from './value-fields.ts';

export const egressField = object({
  version: wholeNumber({ min: 1, max: 1 }),
  ordersPerMinuteMax: wholeNumber({ min: 0, max: 1_000_000 }),
  pairs: record(
    object({ volumeMax: amount({ zero: true }), valueMax: amount({ zero: true }) }),
    pairName,
  ),
});

/** Returns the caps in the file at `path`; throws one ConfigError with all its problems. */
export function loadEgressCaps(path: string): EgressCaps {
  const source = readSettings(path);
  const given = must(readChecked(source, (reader) => reader.read(egressField)));
  return capsOf(given, { file: path, hash: source.hash });
}

/** Returns the caps of a preset that the bot's file at `path`, with this hash, names. */
export function presetCaps(
  preset: SettingsSource,
  { path, hash }: { readonly path: string; readonly hash: string },
): EgressCaps {
  return capsOf(must(new Reader(preset).read(egressField, ['egress'])), { file: path, hash });
}

function capsOf(
  given: NonNullable<ReturnType<typeof egressField>>,
  of: Pick<EgressCaps, 'file' | 'hash'>,
): EgressCaps {
  const pairs = [...must(given.pairs)].map(([pair, caps]) => {
    const { volumeMax, valueMax } = must(caps);
    return [pair, { volumeMax: must(volumeMax), valueMax: must(valueMax) }] as const;
  });
  return deepFreeze({
    ...of,
    ordersPerMinuteMax: must(given.ordersPerMinuteMax),
    pairs: Object.fromEntries(pairs),
  });
}
