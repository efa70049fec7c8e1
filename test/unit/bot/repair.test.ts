/** A repair whose last records cannot be written says so. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { StoreError } from '../../../src/domain/errors.ts';

vi.mock('../../../src/bot/bot.ts', () => ({
  startBot: async ({ onFatal }: { onFatal: (error: unknown) => void }) => ({
    engine: { reconciler: { isBalanced: true }, orders: { tracker: { live: [] } } },
    stop: () => {},
    stopped: Promise.resolve(0),
    close: async () => onFatal(new StoreError('database or disk is full')),
  }),
}));

const { repair } = await import('../../../src/bot/repair.ts');

test('a repair ends with the error of what is stored last', async () => {
  const home = mkdtempSync(join(tmpdir(), 'millrace-repair-'));
  const options = { home, settings: { strategies: [] } } as unknown as Parameters<typeof repair>[0];
  await expect(repair(options)).rejects.toThrow('database or disk is full');
  rmSync(home, { recursive: true });
});
