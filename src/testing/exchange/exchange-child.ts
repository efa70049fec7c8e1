/** A test's exchange in a process of its own, as its parent sees it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { StoreError } from '../../domain/errors.ts';
import { moduleEnding } from '../../runtime/module-ending.ts';
import type { ExchangeOptions } from './exchange-options.ts';
import type { ExchangeServer } from './exchange-server.ts';

/** Starts the process; rejects with StoreError and what it printed if it does not start. */
export async function spawnExchange(
  folder: string,
  options: ExchangeOptions,
): Promise<ExchangeServer> {
  const file = `exchange-process${moduleEnding}`;
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, file), folder, JSON.stringify(options)],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  );
  child.stdin.on('error', () => {});
  let complaint = '';
  child.stderr.on('data', (data: Buffer) => {
    complaint = (complaint + data.toString()).slice(-2_000);
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  const line = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line').then(([text]) => String(text)),
    ended.then(({ code, signal }) => {
      const how = signal ?? `exit code ${code}`;
      throw new StoreError(`the exchange ended (${how}): ${complaint.trim()}`);
    }),
  ]);
  const { baseUrl, streamUrl } = JSON.parse(line) as ExchangeServer;
  return {
    ...{ baseUrl, streamUrl, pid: child.pid },
    close: async () => {
      child.stdin.end();
      const { code } = await ended;
      // A signal is the test's own doing.
      if (code !== null && code !== 0)
        throw new Error(`the exchange has failed (exit code ${code}): ${complaint.trim()}`);
    },
  };
}
