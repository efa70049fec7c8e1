/** Mode paper as processes: a simulator's market, paper orders, kill -9 and what goes on. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { startExchange } from '../../src/testing.ts';
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

/** Returns how many orders the demo's bot has there, open and closed. */
async function ordersAtExchange(home: string): Promise<number> {
  await using exchange = await startExchange({ home });
  return (await exchange.truth()).orders.length;
}

describe('a paper bot', () => {
  test('trades without an order at the venue, is replayed, and goes on after kill -9', async () => {
    const home = newHome();
    const start = ['start', '--mode', 'paper', '--home', home, '--json'];
    const first = millrace([...start, '--for', '60s']);
    await first.sees(/is open \(order \d+\)/u);
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
