/**
 * `npm run prove -- [name] [--json] [--seeds N] [--days N] [--messages N] [--rounds N] [--small]
 * [--plant NAME|list|all] [--break NAME,...]`: runs one prover, or all that need not be named.
 *
 * Exit 0: nothing found wrong, or, with `--plant all`, every plant was found. Exit 1: otherwise.
 * Exit 2: the command line is wrong.
 */
import { parseArgs } from 'node:util';
import type { Prover, ProverOptions, ProverResult } from './prover.ts';
import { provers } from './provers.ts';

type Report = Pick<Prover, 'name' | 'title'> & ProverResult & { readonly plant?: string };

class UsageError extends Error {}

const usage = [
  `usage: npm run prove -- [${Object.keys(provers).join(' | ')}] [--json]`,
  '       [--seeds N] [--days N] [--messages N] [--rounds N] [--small]',
  '       [--plant NAME|list|all] [--break NAME,...]',
].join('\n');

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      seeds: { type: 'string' },
      days: { type: 'string' },
      messages: { type: 'string' },
      rounds: { type: 'string' },
      small: { type: 'boolean', default: false },
      plant: { type: 'string' },
      break: { type: 'string' },
    },
  });
  if (positionals.length > 1) throw new UsageError('give one name or none');
  const seeds = values.seeds === undefined ? undefined : parseSeeds(values.seeds);
  const days = values.days === undefined ? undefined : parseDays(values.days);
  const messages = values.messages === undefined ? undefined : parseMessages(values.messages);
  const rounds = values.rounds === undefined ? undefined : parseRounds(values.rounds);
  const chosen = await choose(positionals[0]);
  if (values.plant === 'list') return listPlants(chosen, values.json);
  if (values.plant === 'all') return await runAllPlants(chosen, seeds, values.json);
  const { plant } = values;
  const breaks = values.break?.split(',') ?? [];
  for (const one of breaks)
    if (!chosen.every((prover) => prover.breakable?.includes(one) === true))
      throw new UsageError(`--break: there is no "${one}" to break`);
  if (plant !== undefined && !chosen.some((prover) => Object.hasOwn(prover.plants, plant)))
    throw new UsageError(`no plant "${plant}"; see --plant list`);
  const planted = chosen.filter(
    (prover) => plant === undefined || Object.hasOwn(prover.plants, plant),
  );
  const reports: Report[] = [];
  const options = { seeds, days, messages, rounds, isSmall: values.small, plant, breaks };
  for (const prover of planted) reports.push(await report(prover, options));
  const violations = reports.reduce((sum, { violations }) => sum + violations, 0);
  print(reports, values.json);
  return violations === 0 ? 0 : 1;
}

function parseSeeds(text: string): number {
  if (!/^[1-9]\d{0,6}$/u.test(text))
    throw new UsageError(`--seeds must be an integer of 1 or more, was "${text}"`);
  return Number.parseInt(text, 10);
}

function parseDays(text: string): number {
  if (!/^(?:\d{1,3}|\d{0,3}\.\d{1,3})$/u.test(text) || !(Number(text) > 0))
    throw new UsageError(`--days must be a number above 0, such as 7 or 0.25, was "${text}"`);
  return Number(text);
}

function parseMessages(text: string): number {
  if (!/^[1-9]\d{4,8}$/u.test(text))
    throw new UsageError(`--messages must be an integer from 10000, was "${text}"`);
  return Number.parseInt(text, 10);
}

function parseRounds(text: string): number {
  if (!/^[1-9]\d?$/u.test(text))
    throw new UsageError(`--rounds must be an integer from 1 to 99, was "${text}"`);
  return Number.parseInt(text, 10);
}

async function choose(name: string | undefined): Promise<Prover[]> {
  if (name === undefined) {
    const all = await Promise.all(Object.values(provers).map((load) => load()));
    return all.filter(({ isByNameOnly }) => isByNameOnly !== true);
  }
  const load = Object.hasOwn(provers, name) ? provers[name] : undefined;
  if (load === undefined) throw new UsageError(`no prover "${name}"`);
  return [await load()];
}

async function report(prover: Prover, options: ProverOptions): Promise<Report> {
  const { name, title } = prover;
  const { plant } = options;
  const result = await prover.run(options);
  return { name, title, ...(plant === undefined ? {} : { plant }), ...result };
}

function listPlants(chosen: readonly Prover[], json: boolean): number {
  const plants = Object.fromEntries(chosen.map((prover) => [prover.name, prover.plants]));
  if (json) {
    console.log(JSON.stringify({ plants }));
    return 0;
  }
  for (const prover of chosen)
    for (const [plant, meaning] of Object.entries(prover.plants))
      console.log(`${prover.name.padEnd(12)}${plant.padEnd(24)}${meaning}`);
  return 0;
}

/** Runs each plant; succeeds only if each is found. */
async function runAllPlants(
  chosen: readonly Prover[],
  seeds: number | undefined,
  json: boolean,
): Promise<number> {
  const rows: { prover: string; plant: string; violations: number; caught: boolean }[] = [];
  for (const prover of chosen)
    for (const plant of Object.keys(prover.plants)) {
      const { violations } = await prover.run({ seeds, plant });
      rows.push({ prover: prover.name, plant, violations, caught: violations > 0 });
    }
  for (const { prover, plant, violations, caught } of json ? [] : rows)
    console.log(
      `${prover.padEnd(12)}${plant.padEnd(24)}${caught ? `caught, ${violations} violations` : 'NOT CAUGHT'}`,
    );
  const missed = rows.filter(({ caught }) => !caught).length;
  if (json) console.log(JSON.stringify({ plants: rows, caught: rows.length - missed, missed }));
  return missed === 0 ? 0 : 1;
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function print(reports: readonly Report[], json: boolean): void {
  if (json) {
    const [first] = reports;
    if (reports.length === 1 && first) {
      const { figures, table: _, ...rest } = first;
      console.log(JSON.stringify({ ...rest, ...figures }));
    } else {
      const violations = reports.reduce((sum, { violations }) => sum + violations, 0);
      console.log(JSON.stringify({ provers: reports, violations }));
    }
    return;
  }
  for (const { name, title, figures, violations, notes, table } of reports) {
    console.log(`${violations === 0 ? 'ok  ' : 'FAIL'}  ${name}: ${title}`);
    const lines = Object.entries(figures).map(
      ([figure, value]) => `${figure.padEnd(28)}${textOf(value)}`,
    );
    for (const line of table ?? lines) console.log(`      ${line}`);
    if (violations > 0) console.log(`      ${'violations'.padEnd(28)}${violations}`);
    for (const note of notes) console.log(`      ${note}`);
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  const isUsage =
    error instanceof UsageError ||
    (error as { readonly code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true;
  console.error(isUsage ? `${(error as Error).message}\n${usage}` : error);
  process.exitCode = isUsage ? 2 : 1;
}
