/**
 * Fills `docs/promises.md` and the four promises of the README with the figures of
 * `docs/internals/proofs.json`. Their texts are the templates beside this file.
 *
 * In a template, `{{memory: rssMax, MB}}` is the figure `rssMax` of the run `memory`, in MB. A cell
 * of a table whose run was not recorded says so; one whose run failed says that first.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { proofRuns } from './proof-runs.ts';
import type { Proof, Proofs } from './proofs-file.ts';

const place = /\{\{(?<run>[^{}:]+): (?<path>[\w.]+)(?:, (?<unit>[^{}]+))?\}\}/gu;
const tableOfReadme = /(?<=\n## Four promises\n\n)\|[^\n]*\n(?:\|[^\n]*\n)*/u;

/** How figures are written that are not plain numbers. */
const units: Readonly<Record<string, (value: never) => string>> = {
  // Rounded down: 99.96 % is not all.
  '%': (value: number) => `${Math.floor(value * 1_000 + 1e-9) / 10} %`,
  kB: (value: number) => `${(value / 1e3).toFixed(1)} kB`,
  MB: (value: number) => `${Math.round(value / 1e6)} MB`,
  ms: (value: number) => `${value} ms`,
  millions: (value: number) => `${(value / 1e6).toFixed(1)} million`,
  count: (value: readonly unknown[]) => String(value.length),
  goals: (value: readonly { readonly goal: string; readonly value: unknown }[]) =>
    value.map((one) => `${one.goal} (${one.value ?? 'not measured'})`).join('; '),
};

export const promisePages = ['docs/promises.md', 'README.md'] as const;

/** Returns the text of each page, by its path below `root`. */
export function pagesWith(
  proofs: Proofs,
  root: string,
): Readonly<Record<(typeof promisePages)[number], string>> {
  const template = (name: string): string =>
    readFileSync(join(import.meta.dirname, `${name}.template`), 'utf8');
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const four = filled(template('four-promises'), proofs);
  return {
    'docs/promises.md': filled(template('promises'), proofs).replace('{{runs}}\n', () =>
      tableOfRuns(proofs),
    ),
    'README.md': readme.replace(tableOfReadme, () => four),
  };
}

/** Replaces the figures in a template. */
export function filled(template: string, proofs: Proofs): string {
  return template
    .split('\n')
    .map((line) => {
      const cellStart = line.endsWith(' |') ? line.lastIndexOf(' | ', line.length - 3) + 3 : 0;
      const cell = line.slice(cellStart);
      return line.slice(0, cellStart) + filledCell(cell, proofs);
    })
    .join('\n');
}

function filledCell(cell: string, proofs: Proofs): string {
  const runs = [...new Set([...cell.matchAll(place)].map(({ groups }) => groups?.['run'] ?? ''))];
  for (const run of runs)
    if (!proofRuns.includes(run)) throw new RangeError(`a template names the run "${run}"`);
  const list = (of: readonly string[]): string => of.map((run) => `\`${run}\``).join(', ');
  const unknown = runs.filter((run) => proofs[run] === undefined);
  if (unknown.length > 0) return `not recorded yet: ${list(unknown)}${endOf(cell)}`;
  const failed = runs.filter((run) => proofs[run]?.state === 'failed');
  if (failed.some((run) => proofs[run]?.violations === null))
    return `**broken off**: ${list(failed)}${endOf(cell)}`;
  const text = cell.replaceAll(place, (...found) => figure(found.at(-1), proofs));
  const incomplete = runs.filter((run) => proofs[run]?.state === 'incomplete');
  const said = [
    ...(failed.length > 0 ? [`**failed**: ${list(failed)}; `] : []),
    ...(incomplete.length > 0 ? [`**only in part**: ${list(incomplete)}; `] : []),
  ];
  return said.join('') + text;
}

function endOf(cell: string): string {
  return cell.endsWith(' |') ? ' |' : '';
}

type Place = { readonly run: string; readonly path: string; readonly unit?: string };

function figure({ run, path, unit }: Place, proofs: Proofs): string {
  const { figures, notes, violations } = proofs[run] as Proof;
  if (path === 'missed')
    return violations === 0 ? 'none' : notes.slice(0, violations ?? 0).join('; ');
  let value: unknown = { ...figures, violations };
  for (const name of path.split('.')) value = (value as Record<string, unknown> | null)?.[name];
  if (value === undefined) throw new RangeError(`the run "${run}" has no figure "${path}"`);
  if (value === null) return 'not measured';
  if (unit === undefined) return typeof value === 'number' ? plain(value) : String(value);
  const write = units[unit];
  if (write === undefined) throw new RangeError(`there is no unit "${unit}"`);
  return write(value as never);
}

function plain(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 3 });
}

const states = { ok: 'holds', failed: '**fails**', incomplete: '**only in part**' } as const;

function tableOfRuns(proofs: Proofs): string {
  const rows = proofRuns.map((run) => {
    const proof = proofs[run];
    if (proof === undefined) return `| \`${run}\` | not recorded yet | | | |`;
    const { state, commit, isClean, date, seconds } = proof;
    const code = `\`${commit}\`${isClean ? '' : ' with changes'}`;
    return `| \`${run}\` | ${states[state]} | ${code} | ${date} | ${plain(seconds)} |`;
  });
  const sum = Object.values(proofs).reduce((total, { seconds }) => total + seconds, 0);
  return [
    '| `prove --` | result | commit | date | seconds |',
    '|---|---|---|---|---|',
    ...rows,
    `| all of these | | | | ${plain(sum)} |`,
    '',
  ].join('\n');
}
