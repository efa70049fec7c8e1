/** The first backtest of the repository with changes, in a folder of its own. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const first = join(import.meta.dirname, '../../backtests/first');

/** What takes the place of what in the scenario's text; each must be there. */
export type Changes = readonly (readonly [from: RegExp, to: string])[];

/** Writes it to `folder`, expecting no hash; returns the folder. */
export function writeFirst(folder: string, changes: Changes): string {
  cpSync(join(first, 'recording.mrec'), join(folder, 'recording.mrec'));
  let text = readFileSync(join(first, 'scenario.yaml'), 'utf8');
  for (const [from, to] of [[/^expect: .*$/mu, ''] as const, ...changes]) {
    if (!from.test(text)) throw new RangeError(`the first scenario has no ${from}`);
    text = text.replace(from, to);
  }
  writeFileSync(join(folder, 'scenario.yaml'), text);
  return folder;
}

/** The changes that make it a minute long, of another plugin without parameters. */
export function minuteOf(plugin: string): Changes {
  return [
    [/^to: .*$/mu, 'to: "2026-11-20T12:01:30Z"'],
    [/plugin: simple-mm/u, `plugin: ${plugin}`],
    [/parameters: .*$/mu, 'parameters: {}'],
  ];
}
