/**
 * One side of the proof of replay, as a program: `record FOLDER FROM TO PLANT` runs seeds and keeps
 * their journals, `replay FOLDER PLANT` replays them and prints what differs.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { Replay } from '../../src/bot/journal/replay-journal.ts';
import { Engine } from '../../src/engine/engine.ts';
import { decodeLine } from '../../src/engine/journal.ts';
import { marketFramesOf } from '../../src/venues.ts';
import { VirtualWorld } from '../support/virtual-world.ts';
import { installReplayPlant, plantedLine } from './replay-plants.ts';
import { addSums, nothingReplayed } from './replay-sums.ts';

function record(folder: string, from: number, to: number, plant: string): void {
  if (plant !== '') installReplayPlant(plant, 'record');
  for (let seed = from; seed <= to; seed++) {
    const world = new VirtualWorld({ seed, keepJournals: true });
    const { journals } = world.run();
    journals.forEach((journal, life) => {
      const lines = plant === '' ? journal : journal.map((line, i) => planted(plant, line, i));
      writeFileSync(join(folder, `${seed}-${life}.jsonl`), lines.join(''));
    });
  }
}

function planted(plant: string, line: string, number: number): string {
  const block = decodeLine(line.trimEnd());
  if (block === undefined) throw new Error('the journal has a torn line');
  const text = JSON.stringify(plantedLine(plant, block, number));
  return `${crc32(text).toString(16).padStart(8, '0')} ${text}\n`;
}

function replay(folder: string, plant: string): void {
  if (plant !== '') installReplayPlant(plant, 'replay');
  let sums = nothingReplayed;
  const notes: string[] = [];
  for (const name of readdirSync(folder).sort()) {
    const found = replayOne(join(folder, name), Number.parseInt(name, 10));
    const { batches, events, effects, different } = found.counts;
    sums = addSums(sums, { lives: 1, batches, events, effects, different });
    if (found.firstDifference !== undefined)
      notes.push(`seed ${name}: ${found.firstDifference.slice(0, 500)}`);
  }
  process.stdout.write(JSON.stringify({ sums, notes }));
}

function replayOne(path: string, seed: number): Replay {
  // The world is asked for its strategies only.
  const { pluginsUsed } = new VirtualWorld({ seed });
  let running: Replay | undefined;
  for (const line of readFileSync(path, 'utf8').trimEnd().split('\n')) {
    const block = decodeLine(line);
    if (block?.kind === 'header')
      running = new Replay(new Engine(block.start, pluginsUsed), marketFramesOf(block.protocol));
    else if (block?.kind !== 'batch') running?.fail('a line is torn');
    else if (running?.isOver === false) running.step(block);
  }
  if (running === undefined) throw new Error(`${path} is empty`);
  return running;
}

const [side, folder = '', ...rest] = process.argv.slice(2);
if (side === 'record') {
  const [from = '', to = '', plant = ''] = rest;
  record(folder, Number.parseInt(from, 10), Number.parseInt(to, 10), plant);
} else replay(folder, rest[0] ?? '');
