/** Where a bot's database may be, checked before anything is opened. */

import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startBot } from '../../../src/bot/bot.ts';
import type { BotOptions } from '../../../src/bot/bot-options.ts';
import type { Notice } from '../../../src/domain/notice.ts';
import { createClock } from '../../../src/runtime/clock.ts';
import { createLogger } from '../../../src/runtime/log.ts';
import { createSystemRandom } from '../../../src/runtime/system-random.ts';
import { createTimers } from '../../../src/runtime/timers.ts';
import { workspace } from '../../support/package-root.ts';
import { botKey } from '../../support/simulated-exchange.ts';
import { plainChoice, virtualSettings, virtualStrategies } from '../../support/virtual-bot.ts';

const memory = '/dev/shm';

function optionsIn(folder: string, mode: 'demo' | 'live', notices: Notice[]): BotOptions {
  const settings = virtualSettings(plainChoice);
  return {
    workspace,
    settings: { ...settings, mode, store: join(folder, 'bot.sqlite') },
    // Nobody listens there, so a bot that goes on fails to reach it.
    venue: {
      name: 'nowhere',
      baseUrl: 'http://127.0.0.1:1',
      streamUrl: 'ws://127.0.0.1:1',
      paths: {},
      userStreamPath: '/',
    },
    credentials: { keyId: botKey.id, keySecret: botKey.secret },
    acceptedPermissions: [],
    egressCaps: undefined,
    ordersGoTo: mode === 'live' ? 'exchange' : 'simulator',
    liveFlag: mode === 'live',
    home: folder,
    config: 'config/demo.yaml',
    plugins: virtualStrategies(settings, undefined),
    clock: createClock(),
    timers: { ...createTimers(), after: (_delayMs, run) => createTimers().after(0, run) },
    random: createSystemRandom(),
    logger: createLogger({ level: 'silent', secrets: [] }),
    isSupervised: false,
    resumeReason: undefined,
    isAdopting: false,
    capture: { days: 0, bytesMax: 0 },
    onNotice: (notice) => notices.push(notice),
    onFatal: () => {},
  };
}

test.skipIf(!existsSync(memory))(
  'S15: live trading is refused on a file system in memory, and nothing is made there',
  async () => {
    const folder = mkdtempSync(join(memory, 'millrace-place-'));
    try {
      await expect(startBot(optionsIn(folder, 'live', []))).rejects.toMatchObject({
        code: 'MR_SAFETY',
        message: expect.stringContaining(
          'is on tmpfs: its files are lost when the machine restarts',
        ),
      });
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
