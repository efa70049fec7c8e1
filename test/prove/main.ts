/**
 * `npm run prove -- NAME [--json] [--seeds N] [--days N] [--messages N] [--rounds N] [--small]
 * [--plant NAME|list|all] [--break NAME,...] [--record]`: runs one prover; with `--record` its
 * figures go to `docs/internals/proofs.json` and into the pages that show them.
 * `npm run prove -- all` runs and records all of them; `npm run prove -- pages` writes the pages.
 *
 * Exit 0: nothing found wrong, or, with `--plant all`, every plant was found. Exit 1: otherwise.
 * Exit 2: the command line is wrong. Exit 3: nothing found wrong, but not all was compared, since
 * data or a program was missing.
 */
import { readArguments, UsageError, usage } from './arguments.ts';
import { withNothingCompared } from './nothing-compared.ts';
import type { Prover, ProverOptions, ProverResult } from './prover.ts';
import { provers } from './provers.ts';
import { readProofs, recordProof, writePages } from './record/proofs-file.ts';
import { runAll } from './record/run-all.ts';

async function main(): Promise<number> {
  const { name, words, values, seeds, days, messages, rounds } = readArguments(
    process.argv.slice(2),
  );
  if (name === 'all') return await runAll();
  if (name === 'pages') {
    writePages(readProofs());
    return 0;
  }
  const prover = await provers[name]?.();
  if (prover === undefined) throw new UsageError(`no prover "${name}"`);
  const { plant } = values;
  if (plant === 'list') return listPlants(prover, values.json);
  const breaks = values.break?.split(',') ?? [];
  for (const one of breaks)
    if (prover.breakable?.includes(one) !== true)
      throw new UsageError(`--break: there is no "${one}" to break`);
  if (plant !== undefined && plant !== 'all' && !Object.hasOwn(prover.plants, plant))
    throw new UsageError(`no plant "${plant}"; see --plant list`);
  const options = { seeds, days, messages, rounds, isSmall: values.small, plant, breaks };
  const startedMs = performance.now();
  const result = await (plant === 'all' ? runAllPlants(prover, seeds) : run(prover, options));
  const { figures, violations, notes, missing = [] } = result;
  if (values.record) {
    const found = { figures, violations, notes, missing };
    recordProof(words, found, (performance.now() - startedMs) / 1_000);
  }
  print(prover, plant, result, values.json);
  if (violations > 0) return 1;
  return missing.length > 0 ? 3 : 0;
}

/** A prover that throws has broken its promise, and its record must say so. */
async function run(prover: Prover, options: ProverOptions): Promise<ProverResult> {
  try {
    const result = await prover.run(options);
    return options.plant === undefined ? withNothingCompared(prover, result) : result;
  } catch (error) {
    return { figures: {}, violations: 1, notes: [String((error as Error).stack)] };
  }
}

function listPlants({ name, plants }: Prover, json: boolean): number {
  if (json) console.log(JSON.stringify({ plants: { [name]: plants } }));
  else
    for (const [plant, meaning] of Object.entries(plants))
      console.log(`${name.padEnd(12)}${plant.padEnd(24)}${meaning}`);
  return 0;
}

/** Runs each plant; one that is not found is a violation. */
async function runAllPlants(prover: Prover, seeds: number | undefined): Promise<ProverResult> {
  const rows: { plant: string; violations: number; isCaught: boolean }[] = [];
  for (const plant of Object.keys(prover.plants)) {
    const { violations } = await prover.run({ seeds, plant });
    rows.push({ plant, violations, isCaught: violations > 0 });
  }
  const missed = rows.filter(({ isCaught }) => !isCaught);
  return {
    figures: { plants: rows.length, caught: rows.length - missed.length, rows },
    violations: missed.length,
    notes: missed.map(({ plant }) => `plant ${plant} was not found`),
    table: rows.map(({ plant, violations, isCaught }) =>
      [plant.padEnd(24), isCaught ? `caught, ${violations} violations` : 'NOT CAUGHT'].join(''),
    ),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function print(
  { name, title }: Prover,
  plant: string | undefined,
  { figures, violations, notes, missing = [], table }: ProverResult,
  json: boolean,
): void {
  if (json) {
    const head = { name, title, ...(plant === undefined ? {} : { plant }) };
    console.log(JSON.stringify({ ...head, violations, notes, missing, ...figures }));
    return;
  }
  const incomplete = missing.length > 0 ? 'PART' : 'ok  ';
  console.log(`${violations === 0 ? incomplete : 'FAIL'}  ${name}: ${title}`);
  const lines = Object.entries(figures).map(
    ([figure, value]) => `${figure.padEnd(28)}${textOf(value)}`,
  );
  for (const line of table ?? lines) console.log(`      ${line}`);
  if (violations > 0) console.log(`      ${'violations'.padEnd(28)}${violations}`);
  for (const note of notes) console.log(`      ${note}`);
  for (const one of missing) console.log(`      not compared: ${one}`);
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
