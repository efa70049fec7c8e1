/** A bot under a service manager, which is told what state it is in. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type BotProcess, endAll, eventually, millrace, newHome } from '../support/process-bot.ts';

afterAll(endAll);

describe('a service manager', () => {
  test('is told that the bot is ready, alive and stopping, and nothing before it is', async () => {
    const home = newHome();
    const bin = join(home, 'bin');
    const heard = join(home, 'heard');
    mkdirSync(bin);
    writeFileSync(
      join(bin, 'systemd-notify'),
      `#!/bin/sh\necho "$MILLRACE_SECRET$*" >> ${heard}\n`,
    );
    chmodSync(join(bin, 'systemd-notify'), 0o755);
    const bot: BotProcess = millrace(['start', '--home', home, '--json'], {
      env: {
        PATH: `${bin}:${process.env['PATH']}`,
        NOTIFY_SOCKET: '/run/nothing',
        WATCHDOG_USEC: '3000000',
        MILLRACE_SECRET: 'must not be handed on',
      },
    });
    await eventually(
      () => existsSync(heard) && /READY=1/u.test(readFileSync(heard, 'utf8')),
      30_000,
    );
    expect(bot.text).toMatch(/reconciled: /u);
    await eventually(
      () => (readFileSync(heard, 'utf8').match(/WATCHDOG=1/gu)?.length ?? 0) > 2,
      30_000,
    );
    expect(readFileSync(heard, 'utf8')).toMatch(
      /STATUS=reconciled; every book is usable; \d+ live orders/u,
    );
    expect(readFileSync(heard, 'utf8')).not.toContain('must not be handed on');
    bot.signal('SIGTERM');
    expect((await bot.ended).code, bot.text).toBe(0);
    expect(readFileSync(heard, 'utf8')).toMatch(/STOPPING=1/u);
  }, 60_000);
});
