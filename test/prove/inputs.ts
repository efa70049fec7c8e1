/**
 * Proves that no answer and no frame, however wrong, ends the bot, is taken for what it is not, or
 * makes it send an order: thousands of changed ones for every reader, and whole bots on an exchange
 * that says little that is true.
 */
import { SeededRandom } from '../support/seeded-random.ts';
import { mutantOf } from '../support/wire-mutants.ts';
import {
  type ErrorSamples,
  type FrameSamples,
  readOperationSamples,
  readSamples,
} from '../unit/venues/luno/api/wire-samples.ts';
import {
  faultOf,
  feedSamples,
  type Parser,
  parserPlants,
  parsersWith,
  randomHead,
  tableSamples,
} from './inputs-parsers.ts';
import { runHostile } from './inputs-worlds.ts';
import type { Prover, ProverOptions, ProverResult } from './prover.ts';

const mutantsDefault = 10_000;
const mutantsPerWorld = 500;
const worldSeconds = 45;
/** Shares of what a bot is told that are changed: all but hopeless, and hardly noticeable. */
const shares = [0.5, 0.1, 0.02];
const notesMax = 20;

async function run(options: ProverOptions): Promise<ProverResult> {
  const mutants = options.seeds ?? mutantsDefault;
  const notes: string[] = [];
  const worlds = options.plant === undefined ? Math.ceil(mutants / mutantsPerWorld) : 1;
  const recorded = new Map<string, string[]>();
  let [bodies, frames, ordersSent, uncaught, misread] = [0, 0, 0, 0, 0];
  for (let seed = 1; seed <= worlds; seed++) {
    const share = shares[seed % shares.length] ?? 0;
    const world = runHostile(seed, worldSeconds, share);
    bodies += world.bodies;
    frames += world.frames;
    ordersSent += world.ordersSent;
    misread += world.violations.length;
    for (const said of world.violations) notes.push(`world ${seed}: ${said}`);
    for (const [source, texts] of world.samples)
      recorded.set(source, [...(recorded.get(source) ?? []), ...texts].slice(0, 200));
  }
  let slowestMs = 0;
  const parsers = parsersWith(options.plant);
  for (const [index, parser] of parsers.entries()) {
    const random = new SeededRandom(index + 1);
    const samples = [...goldenOf(parser), ...(recorded.get(parser.sample) ?? [])];
    for (let n = 1; n <= mutants; n++) {
      const body = { ...randomHead(random), bytes: mutantOf(samples, random) };
      if (parser.sample === 'market' || parser.sample === 'user') frames++;
      else bodies++;
      const startedMs = performance.now();
      const tell = (what: string): void => {
        const shown = JSON.stringify(Buffer.from(body.bytes).toString().slice(0, 300));
        notes.push(`${parser.name}, mutant ${n}, status ${body.status}: ${what}: ${shown}`);
      };
      try {
        const read = parser.read(body);
        slowestMs = Math.max(slowestMs, performance.now() - startedMs);
        const fault = faultOf(parser, body, read);
        if (fault === undefined) continue;
        misread++;
        tell(fault);
      } catch (error) {
        uncaught++;
        tell(String(error));
      }
    }
  }
  return {
    figures: {
      parsers: parsers.length,
      mutantsPerParser: mutants,
      worlds: 2 * worlds,
      bodies,
      frames,
      uncaught,
      misread,
      ordersSent,
      slowestMs: Math.round(slowestMs),
    },
    violations: uncaught + misread + ordersSent,
    notes: notes.slice(0, notesMax),
  };
}

/** The samples written by hand from the documents. */
function goldenOf(parser: Parser): readonly string[] {
  switch (parser.sample) {
    case 'market':
      return readSamples<FrameSamples>('market-stream').frames.map((frame) => frame.text);
    case 'user':
      return readSamples<FrameSamples>('user-stream').frames.map((frame) => frame.text);
    case 'feed':
      return feedSamples;
    case 'table':
      return tableSamples;
    case 'errors':
      return readSamples<ErrorSamples>('errors').answers.map((one) => one.text);
    default:
      return readOperationSamples()
        .filter(({ operation }) => operation === parser.sample)
        .flatMap(({ responses }) => responses.map((one) => one.text));
  }
}

export const inputsProver: Prover = {
  name: 'inputs',
  title: 'no answer and no frame ends the bot or makes it send an order',
  compared: ['bodies', 'frames'],
  plants: parserPlants,
  run,
};
