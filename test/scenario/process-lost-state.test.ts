/** A database that is not the one that the exchange has seen, as an operator meets it. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { endAll, millrace, newHome, startDemo } from '../support/process-bot.ts';

const demo = 'config/demo.yaml';

afterAll(endAll);

async function run(...commandLine: string[]) {
  const started = millrace(commandLine);
  const { code } = await started.ended;
  const last = started.stdout.trimEnd().split('\n').at(-1) ?? '';
  return { code, out: started.stdout, err: started.stderr, last };
}

describe('a database', () => {
  test('S9: that is an old backup halts the bot at each start, until it has taken over what it lacks', async () => {
    const home = newHome();
    const path = join(home, 'demo.sqlite');
    expect((await startDemo(home, '--for', '2s').ended).code).toBe(0);
    const backup = readFileSync(path);
    const bot = startDemo(home);
    await bot.sees(/ fill +.* at \d+ ZAR/u);
    bot.signal('SIGTERM');
    expect((await bot.ended).code, bot.text).toBe(0);
    const { fills } = bot.summary();

    for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
    writeFileSync(path, backup);
    const old = startDemo(home, '--resume', 'whatever it says', '--for', '4s');
    expect((await old.ended).code, old.text).toBe(1);
    expect(old.text).toMatch(
      /STORE_BEHIND: the exchange has \d+ orders and \d+ trades of namespace/u,
    );
    expect(old.text).toContain('this database is an older copy of the one that placed them');
    expect(old.text).toMatch(/not resumed: .*reconcile .*--repair/u);
    expect(old.text).not.toMatch(/ is open \(/u);
    const repaired = await run('reconcile', demo, '--repair', '--home', home, '--json');
    expect([repaired.code, JSON.parse(repaired.last)], repaired.err).toMatchObject([
      0,
      { equal: true, fills, states: [{ scope: 'bot', state: 'HALTED' }] },
    ]);

    const next = startDemo(home, '--resume', 'the backup is understood');
    await next.sees(/ is open \(/u, 2);
    expect(next.text).not.toContain('STORE_BEHIND');
    next.signal('SIGTERM');
    expect((await next.ended).code, next.text).toBe(0);
    const replay = await run('replay', '--all', '--json', '--home', home);
    expect(JSON.parse(replay.last)).toMatchObject({ different: 0 });
  }, 300_000);
});
