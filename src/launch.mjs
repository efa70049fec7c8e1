/**
 * `node src/launch.mjs SCRIPT [ARGUMENT...]` runs a script of this package with the pinned Node,
 * installing first if need be. Runs on any Node from 20, with no dependency.
 *
 * Where the platform allows it the pinned Node takes this process's place; else it is a child whose
 * signals and exit code become ours.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled, InstallInterrupted } from './install.mjs';

/**
 * How much of what a function calls is compiled into it, in bytes. Our hot paths are small
 * functions in several files; with the usual 920 the calls between them cost more than the work.
 */
const inlined = ['--max-inlined-bytecode-size-cumulative=5000'];
/**
 * For what plays a recording, block by block: with a small heap the garbage collector would start
 * every few blocks, because of their memory, and look through all that stays.
 */
const replaying = ['--min-semi-space-size=16', '--initial-old-space-size=256'];
const replays = ['backtest', 'check-strategy', 'compare', 'speed'];

/** Tells the child whose end it must notice; see the watch of the launcher in `src/bot/guards/`. */
const launcherVariable = 'MILLRACE_LAUNCHER_PID';
const lookAtParentMs = 1_000;

// npm passes a terminal's Ctrl-C on although the terminal has sent it to everybody already.
const sameSignalMs = 1_000;

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const [script, ...scriptArguments] = process.argv.slice(2);

if (script === undefined) fail(2, 'usage: node src/launch.mjs SCRIPT [ARGUMENT...]');

try {
  const target = path.resolve(root, script);
  const isOurs = target.startsWith(path.join(root, 'src') + path.sep);
  const pinned = await ensureInstalled(root, isOurs ? 'run' : 'all');
  if (!fs.existsSync(target)) fail(2, `no such script: ${target}`);
  const isReplay = replays.includes(scriptArguments[0]);
  const flags = isReplay ? [...inlined, ...replaying] : inlined;
  run(pinned, [...flags, ...process.execArgv, target, ...scriptArguments]);
} catch (error) {
  if (error instanceof InstallInterrupted) endBySignal(error.signal);
  else
    fail(1, error.fix === undefined ? String(error.stack) : `${error.message}\nfix: ${error.fix}`);
}

function run(pinned, commandLine) {
  // Sources that were compiled once are not stripped and compiled again at each start.
  process.env.NODE_COMPILE_CACHE ??= path.join(root, 'node_modules/.cache/compiled');
  // execve is experimental, so we use it only in the version that the tests run on: the pinned one.
  // An install may have replaced the Node that runs this.
  const isThere = fs.existsSync(process.execPath);
  const isPinned = isThere && fs.realpathSync(process.execPath) === fs.realpathSync(pinned);
  if (isPinned && typeof process.execve === 'function') {
    delete process.env[launcherVariable];
    process.execve(pinned, [pinned, ...commandLine], process.env);
  }
  const env = { ...process.env, [launcherVariable]: String(process.pid) };
  const child = spawn(pinned, commandLine, { stdio: 'inherit', env });
  stopWithNpm(child);
  const lastSentMs = {};
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      const nowMs = performance.now();
      if (nowMs - (lastSentMs[signal] ?? Number.NEGATIVE_INFINITY) < sameSignalMs) return;
      lastSentMs[signal] = nowMs;
      child.kill(signal);
    });
  }
  child.on('error', (error) => fail(1, `${pinned} could not be started: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    endBySignal(signal);
  });
}

/** An npm that was killed passes no signal on, and would leave the child running unseen. */
function stopWithNpm(child) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    child.kill('SIGTERM');
  }, lookAtParentMs);
  looking.unref();
}

/** Ends as the child did, so that a shell or a supervisor sees the same. */
function endBySignal(signal) {
  process.removeAllListeners(signal);
  process.exitCode = 128 + (os.constants.signals[signal] ?? 0);
  process.kill(process.pid, signal);
  setTimeout(() => process.exit(), 200);
}

function fail(code, text) {
  fs.writeSync(2, `millrace: ${text}\n`);
  process.exit(code);
}
