/**
 * `npm run prove -- terminal`: the screen of a running bot, in a pseudo-terminal and as an emulator
 * shows it, says what the database says, at every size; the terminal is given back however the bot
 * ends; where no screen is wanted, lines are printed.
 */
import type { Prover, ProverOptions, ProverResult } from './prover.ts';
import { playEnds, playHang, playJobs } from './terminal/terminal-ends.ts';
import type { Checks } from './terminal/terminal-place.ts';
import { playNoColour, playPlain } from './terminal/terminal-plain.ts';
import { terminalPlants } from './terminal/terminal-plants.ts';
import { playView } from './terminal/terminal-view-case.ts';

const notesMax = 20;

type Case = {
  readonly name: string;
  readonly play: (plant: string | undefined) => Promise<Checks>;
  /** The faults that it shows. */
  readonly finds: readonly string[];
};

const cases: readonly Case[] = [
  {
    name: 'view',
    play: async (plant) => (await playView(plant)).checks,
    finds: ['not-restored', 'first-frame-only', 'position-with-wrong-sign', 'half-a-queue'],
  },
  { name: 'ends', play: playEnds, finds: ['not-restored-at-crash'] },
  { name: 'jobs', play: playJobs, finds: [] },
  { name: 'hang', play: playHang, finds: ['waits-for-terminal'] },
  { name: 'plain', play: playPlain, finds: ['ids-printed'] },
  { name: 'colours', play: playNoColour, finds: ['always-coloured'] },
];

async function run({ plant }: ProverOptions): Promise<ProverResult> {
  const violations: string[] = [];
  const checks: Record<string, number> = {};
  for (const { name, play, finds } of cases) {
    if (plant !== undefined && !finds.includes(plant)) continue;
    try {
      const found = await play(plant);
      checks[name] = found.count;
      violations.push(...found.violations.map((text) => `${name}: ${text}`));
    } catch (error) {
      violations.push(
        `${name}: ${error instanceof Error ? (error.stack ?? error.message) : error}`,
      );
    }
  }
  const total = Object.values(checks).reduce((sum, count) => sum + count, 0);
  return {
    figures: {
      checks: total,
      ...Object.fromEntries(cases.map(({ name }) => [name, checks[name] ?? 0])),
    },
    violations: violations.length,
    notes: violations.slice(0, notesMax),
  };
}

export const terminalProver: Prover = {
  name: 'terminal',
  title: 'the screen of a bot says what its database says, and the terminal is given back',
  compared: cases.map(({ name }) => name),
  plants: Object.fromEntries(
    Object.entries(terminalPlants).map(([name, { meaning }]) => [name, meaning]),
  ),
  run,
};
