/** Finds the limits of a file: those that it writes out, or those of the preset that it names. */
import { stringify } from 'yaml';
import { strategiesField } from './bot-fields.ts';
import { Reader } from './field.ts';
import { type LimitsDraft, writtenLimitsField } from './limit-fields.ts';
import { type PresetName, presetNames, presetSource } from './limit-presets.ts';
import type { SettingsSource } from './settings-source.ts';

/** What a file gives as `limits`, as {@link limitsField} reads it. */
type GivenLimits = LimitsDraft | PresetName | undefined;

/** Returns the preset that a file names, with the keys `limits` and `egress`; else undefined. */
export function presetIn(source: SettingsSource): SettingsSource | undefined {
  const name = presetNames.find((known) => known === source.valueAt(['limits']));
  if (name === undefined) return undefined;
  const strategies = new Reader(source).read(strategiesField, ['strategies']);
  return presetSource(source.file, name, strategies ?? new Map());
}

/**
 * Returns the written-out form of `limits`. Reports if a preset makes no valid limits of the
 * budgets in the file, or limits under which no order could be placed.
 */
export function limitsOrPreset(reader: Reader, limits: GivenLimits): LimitsDraft | undefined {
  if (typeof limits !== 'string') return limits;
  const preset = presetIn(reader.source);
  if (preset === undefined) return undefined;
  const own = new Reader(preset);
  const draft = own.read(writtenLimitsField, ['limits']);
  const isEmpty = [...(draft?.pairs ?? [])].length === 0;
  // A file without a pair and its budgets has problems that explain this.
  if (isEmpty) return undefined;
  for (const [pair, limit] of draft?.pairs ?? [])
    if (limit?.orderBaseMax === '0') {
      const message = `was ${limits}, whose largest order for ${pair} is a tenth of its budget in the base currency, which is 0`;
      reader.report(['limits'], { message, allowed: 'a budget above 0, or limits written out' });
    }
  for (const { path, message, allowed } of own.problems)
    reader.report(['limits'], { message: `was ${limits}, so ${path} ${message}`, allowed });
  return own.problems.length === 0 ? draft : undefined;
}

/** Returns the preset that a file names as lines for files that write its values out. */
export function presetLines(source: SettingsSource): readonly string[] {
  const preset = presetIn(source);
  if (preset === undefined) return [];
  const linesOf = (value: unknown) => stringify(value).trimEnd().split('\n');
  return [
    '',
    '# The limits of the preset, for a file that writes them out:',
    ...linesOf({ limits: preset.valueAt(['limits']) }),
    '',
    '# Its caps, for the file that `egress` names, such as egress.yaml:',
    ...linesOf(preset.valueAt(['egress'])),
  ];
}
