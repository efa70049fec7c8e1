/**
 * `node src/launch.mjs SCRIPT [ARGUMENT...]` runs a script of this package with the pinned Node,
 * which it installs first if necessary. It runs on Node 20 or later, without dependencies.
 *
 * Where the platform allows it, the pinned Node replaces this process; otherwise it is a child:
 * signals are passed on to it, and its exit code or signal becomes ours.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { collecting, inlining, trading } from './bot-flags.mjs';
import { InstallInterrupted, isInstalled, nodeOf } from './installed.mjs';

/**
 * For commands that play a recording block by block. Each function that V8 compiles costs a first
 * run as much as thousands of its calls, so it inlines less than in a bot, which runs for days:
 * what a row of a recording needs. With a small heap, the garbage collector would run every few
 * blocks and scan everything that stays in memory. Objects of an order die within minutes of
 * simulated time, but they may outlive a few collections. V8 must not learn from that to create
 * them in the old generation, where they would stay until a full collection. A run has millions of
 * calls, so V8 need not count some before it collects the types that it compiles for. TurboFan, its
 * second compiler, is slow: it pays off only for functions that run far more often than a run has
 * orders.
 */
const replaying = [
  '--max-inlined-bytecode-size-cumulative=2000',
  '--min-semi-space-size=32',
  '--max-semi-space-size=32',
  '--initial-old-space-size=96',
  '--no-allocation-site-pretenuring',
  '--no-lazy-feedback-allocation',
  '--invocation-count-for-turbofan=20000',
];
const replays = ['backtest', 'check-strategy', 'compare', 'dev', 'speed'];
const bots = ['start', 'run'];

/** Gives the child the id of this process, whose end it must notice; see `watchLauncher`. */
const launcherVariable = 'MILLRACE_LAUNCHER_PID';
const lookAtParentMs = 1_000;

// npm passes on a terminal's Ctrl-C although the terminal has already sent it to every process.
const sameSignalMs = 1_000;

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const [script, ...scriptArguments] = process.argv.slice(2);

if (script === undefined) fail(2, 'usage: node src/launch.mjs SCRIPT [ARGUMENT...]');

try {
  const target = path.resolve(root, script);
  const isOurs = target.startsWith(path.join(root, 'src') + path.sep);
  const level = isOurs ? 'run' : 'all';
  if (!isInstalled(root, level)) await (await import('./install.mjs')).install(root, level);
  const pinned = nodeOf(root);
  if (!fs.existsSync(target)) fail(2, `no such script: ${target}`);
  await run(pinned, [
    ...flagsOf(scriptArguments[0]),
    `--import=${new URL('runtime/own-modules.mjs', import.meta.url).href}`,
    ...process.execArgv,
    target,
    ...scriptArguments,
  ]);
} catch (error) {
  if (error instanceof InstallInterrupted) endBySignal(error.signal);
  else
    fail(1, error.fix === undefined ? String(error.stack) : `${error.message}\nfix: ${error.fix}`);
}

function flagsOf(command) {
  if (replays.includes(command)) return replaying;
  if (command === 'exchange') return [...inlining, ...collecting];
  return bots.includes(command) ? [...inlining, ...trading] : inlining;
}

async function run(pinned, commandLine) {
  // Without a cache, each start would strip and compile the sources again.
  process.env.NODE_COMPILE_CACHE ??= path.join(root, 'node_modules/.cache/compiled');
  // With an arena for each thread, glibc keeps 40 MB and more of freed memory.
  process.env.MALLOC_ARENA_MAX ??= '1';
  // execve is experimental, so we use it only in the version that the tests run on: the pinned one.
  const isPinned = isSameFile(process.execPath, pinned);
  if (isPinned && typeof process.execve === 'function') {
    delete process.env[launcherVariable];
    process.execve(pinned, [pinned, ...commandLine], process.env);
  }
  const env = { ...process.env, [launcherVariable]: String(process.pid) };
  // Most starts end above, so they need not load it.
  const { spawn } = await import('node:child_process');
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

/** Whether both paths are one file. The install may just have removed the Node that runs this. */
function isSameFile(one, other) {
  return fs.existsSync(one) && fs.realpathSync(one) === fs.realpathSync(other);
}

/** Stops the child if npm dies: a killed npm passes on no signal, and the child would go on. */
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

/** Ends by the signal that ended the child, so that a shell or a supervisor sees the same end. */
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
