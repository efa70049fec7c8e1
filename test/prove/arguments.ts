/** The command line of `npm run prove`: its options, and what each may be. */
import { parseArgs } from 'node:util';
import { provers } from './provers.ts';
import { proofRuns, runWords } from './record/proof-runs.ts';

/** `all` runs every prover and records what it finds; `pages` writes the pages that show it. */
export const wholeRuns = ['all', 'pages'];

export class UsageError extends Error {}

export const usage = [
  `usage: npm run prove -- ${Object.keys(provers).join(' | ')}`,
  '         [--json] [--seeds N] [--days N] [--messages N] [--rounds N] [--small]',
  '         [--plant NAME|list|all] [--break NAME,...] [--record]',
  '       npm run prove -- all',
  '       npm run prove -- pages',
].join('\n');

/**
 * Reads the words after `prove --`. Throws UsageError, or the TypeError of `parseArgs`, when they
 * cannot be read; whether a plant exists is known to its prover alone.
 */
export function readArguments(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
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
      record: { type: 'boolean', default: false },
    },
  });
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new UsageError('give one name');
  const isProver = Object.hasOwn(provers, name);
  if (!isProver && !wholeRuns.includes(name)) throw new UsageError(`no prover "${name}"`);
  if (!isProver && args.length > 1) throw new UsageError(`"${name}" takes no options`);
  const words = runWords({ name, values });
  if (values.record && !proofRuns.includes(words))
    throw new UsageError(
      `--record is for the runs whose figures the documents state: ${proofRuns.join(' | ')}`,
    );
  return {
    ...{ name, words, values },
    seeds: values.seeds === undefined ? undefined : parseSeeds(values.seeds),
    days: values.days === undefined ? undefined : parseDays(values.days),
    messages: values.messages === undefined ? undefined : parseMessages(values.messages),
    rounds: values.rounds === undefined ? undefined : parseRounds(values.rounds),
  };
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
