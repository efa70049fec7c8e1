/** Mode paper as processes: a simulator's market, paper orders, kill -9 and what goes on. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/client.ts';
import { createClock } from '../../src/runtime/clock.ts';
import { createTimers } from '../../src/runtime/timers.ts';
import { readCredentials } from '../../src/simulator/server/credentials-file.ts';
import { startSimulatorServer } from '../../src/simulator/server/simulator-server.ts';
import { type BotProcess, endAll, millrace, newHome } from '../support/process-bot.ts';

afterAll(endAll);

const config = 'config/paper.yaml';

type PaperSummary = {
  readonly mode: string;
  readonly ordersAccepted: number;
  readonly fills: number;
  readonly fillsAtExchange: number;
  readonly differences: number;
  readonly openOrdersAtExit: number;
  readonly balanceDifference: string;
  readonly paper: { readonly pair: string; readonly gaps: number };
};

function lastLine({ stdout }: BotProcess): unknown {
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
}

/** Returns how many orders the key of the demo's bot has there, open and closed. */
async function ordersAtExchange(home: string): Promise<number> {
  const folder = join(home, 'simulator');
  const timers = createTimers();
  const server = await startSimulatorServer({
    ...{ folder, port: 0, seed: 1, clock: createClock(), timers },
    fail: (error) => {
      throw error;
    },
  });
  const issued = readCredentials(folder);
  const client = createClient({
    baseUrl: server.baseUrl,
    credentials: { keyId: issued.api_key_id, keySecret: issued.api_key_secret },
    timers,
  });
  try {
    const open = await client.listOrdersV2({});
    const closed = await client.listOrdersV2({ closed: true });
    return open.orders.length + closed.orders.length;
  } finally {
    await client.close();
    await server.close();
  }
}

describe('a paper bot', () => {
  test('trades without an order at the venue, is replayed, and goes on after kill -9', async () => {
    const home = newHome();
    const start = ['start', '--mode', 'paper', '--home', home, '--json'];
    const first = millrace([...start, '--for', '60s']);
    await first.sees(/is open \(BXT\d+\)/u);
    const account = join(home, 'paper.sqlite-paper');
    expect(readFileSync(account, 'utf8')).toContain('"kind":"order"');
    await first.kill();

    const second = millrace([...start, '--for', '4s']);
    const { code } = await second.ended;
    const summary = lastLine(second) as PaperSummary;
    expect({ code, mode: summary.mode }).toEqual({ code: 0, mode: 'paper' });
    expect(summary.paper).toMatchObject({ pair: 'XBTZAR', gaps: 0 });
    expect(summary.fillsAtExchange).toBe(summary.fills);
    expect(summary).toMatchObject({
      differences: 0,
      balanceDifference: '0',
      openOrdersAtExit: 0,
    });

    const replayed = millrace(['replay', '--all', '--home', home, '--json']);
    expect((await replayed.ended).code).toBe(0);
    expect(lastLine(replayed)).toMatchObject({
      different: 0,
      journals: 2,
    });
    const status = millrace(['status', config, '--home', home, '--json']);
    expect((await status.ended).code).toBe(0);
    const compared = millrace(['compare', '1', '--home', home, '--json']);
    expect((await compared.ended).code).toBe(0);
    expect(lastLine(compared)).toMatchObject({ runId: '1', mode: 'paper' });
    // No order of it is in the books of the exchange.
    expect(await ordersAtExchange(home)).toBe(0);
  }, 90_000);
});
