/**
 * `npm run prove -- [name] [--json] [--seeds N] [--days N] [--messages N] [--rounds N] [--small]
 * [--plant NAME|list|all] [--break NAME,...]`: runs one prover, or all that need not be named.
 *
 * Exit 0: nothing found wrong, or, with `--plant all`, every plant was found. Exit 1: otherwise.
 * Exit 2: the command line is wrong.
 */
import { readArguments, UsageError, usage } from './arguments.ts';
import type { Prover, ProverOptions, ProverResult } from './prover.ts';
import { provers } from './provers.ts';

type Report = Pick<Prover, 'name' | 'title'> & ProverResult & { readonly plant?: string };

async function main(): Promise<number> {
  const { name, values, seeds, days, messages, rounds } = readArguments(process.argv.slice(2));
  const chosen = await choose(name);
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

async function choose(name: string | undefined): Promise<Prover[]> {
  if (name === undefined) {
    const all = await Promise.all(Object.values(provers).map((load) => load()));
    return all.filter(({ isByNameOnly }) => isByNameOnly !== true);
  }
  const load = provers[name];
  return load === undefined ? [] : [await load()];
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
