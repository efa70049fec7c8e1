/** `millrace record` in a process of its own, with the simulated exchange in it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const source = join(import.meta.dirname, '../../src');
const folder = mkdtempSync(join(tmpdir(), 'millrace-record-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Has it record until the first frame, then does `then`; returns how it ended and what it said. */
function recordUntil(then: string) {
  const script = `
    import { writeFileSync } from 'node:fs';
    import { runRecordCommand } from '${source}/cli/commands/record-command.ts';
    import { Command } from 'commander';
    import { Cli } from '${source}/cli/command.ts';
    import { workspaceOf } from '${source}/terminal/find-workspace.ts';
    import { CaptureRecorder } from '${source}/recording/capture/capture-recorder.ts';
    import { createClock } from '${source}/runtime/clock.ts';
    import { createTimers } from '${source}/runtime/timers.ts';
    import { startSimulatorServer } from '${source}/venues/luno/simulator/server/simulator-server.ts';

    const folder = ${JSON.stringify(folder)};
    const [clock, timers] = [createClock(), createTimers()];
    const options = { folder: folder + '/exchange', port: 0, seed: 3, clock, timers };
    const server = await startSimulatorServer({ ...options, fail: (error) => { throw error; } });
    const { baseUrl } = server;
    const urls = { version: 1, baseUrl, streamUrl: baseUrl.replace('http', 'ws') };
    writeFileSync(folder + '/here.yaml', JSON.stringify(urls));

    const { frame } = CaptureRecorder.prototype;
    CaptureRecorder.prototype.frame = function (...told) {
      frame.apply(this, told);
      CaptureRecorder.prototype.frame = frame;
      setImmediate(() => { ${then} });
    };
    const pairs = ['XBTZAR'];
    const asked = { pairs, venue: 'here', folder: folder + '/captures' };
    const place = workspaceOf(process.cwd(), { cwd: process.cwd(), environment: {} });
    const workspace = { ...place, venues: [folder] };
    const record = (output) => runRecordCommand({ ...asked, workspace, forMs: 20_000, output });
    await new Cli(new Command(), workspace).run(true, record);
    await server.close();`;
  const argv = ['--input-type=module', '-e', script];
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
  return { status, stderr, found: JSON.parse(stdout) as Readonly<Record<string, unknown>> };
}

test('an error that nobody caught ends it with 1, also after frames, and is told', () => {
  const { status, stderr, found } = recordUntil(`throw new RangeError('planted');`);
  expect(stderr).toContain('millrace: RangeError: planted');
  expect(found).toMatchObject({
    reason: 'an uncaught error',
    failure: 'RangeError: planted',
  });
  expect(found['frames']).toBeGreaterThan(0);
  expect(status).toBe(1);
});

test('a signal ends it in order', () => {
  const { status, found } = recordUntil(`process.kill(process.pid, 'SIGINT');`);
  expect(found).toMatchObject({ reason: 'SIGINT', failure: null });
  expect(status).toBe(0);
});
