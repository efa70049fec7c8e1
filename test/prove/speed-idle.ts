/** What simulated time costs while nothing happens: no rows, no orders, a strategy that waits. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runBacktest } from '../../src/backtest/run/run-backtest.ts';
import type { Lots, Ticks } from '../../src/domain/money.ts';
import { loadScenario } from '../../src/settings/load-scenario.ts';
import { flowStartMicros } from './speed-flow.ts';
import { createFlowWriter } from './speed-ground.ts';
import { writeMakerScenario } from './speed-maker.ts';
import { speedStrategies } from './speed-scenario.ts';

const dayMicros = 86_400_000_000;
const rounds = 5;

/** Returns the CPU time of one idle day, in milliseconds: that of many days less that of none. */
export async function idleDayMillis(days = 30): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-idle-'));
  try {
    const none = await fastestMillis(folder, 0);
    return Math.max(0, (await fastestMillis(folder, days)) - none) / days;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Plays two sides of a book and, so many days later, one more order. */
async function fastestMillis(folder: string, days: number): Promise<number> {
  writeQuietFlow(folder, days);
  const scenario = loadScenario(writeMakerScenario(folder, { plugin: 'idler', parameters: '{}' }));
  let fastest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    const options = { scenario, dataFolder: '', strategiesFolder: speedStrategies };
    (await runBacktest(options)).run.store.close();
    const { user, system } = process.cpuUsage(before);
    fastest = Math.min(fastest, (user + system) / 1_000);
  }
  return fastest;
}

function writeQuietFlow(folder: string, days: number): void {
  const writer = createFlowWriter(folder);
  writer.start([]);
  const sides = ['BID', 'ASK', 'BID'] as const;
  for (const [index, side] of sides.entries())
    writer.add({
      kind: 'create',
      sequence: 0,
      atMicros: flowStartMicros + (index === 2 ? days * dayMicros + 2 : index),
      endsMessage: true,
      id: `BX${String(index).padStart(13, '0')}`,
      side,
      price: (1_900_000 + (side === 'ASK' ? 10 : -index)) as Ticks,
      volume: 1_000 as Lots,
    });
  writer.finish();
}
