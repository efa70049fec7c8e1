/**
 * Runs a script of Millrace on a Node with the flags that its command needs.
 *
 * Where the platform allows it, that Node replaces this process; otherwise it is a child: signals
 * are passed on to it, and its exit code or signal becomes ours.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { collecting, inlining, trading } from './bot-flags.mjs';

/** The folder of the clone, or of the installed package. */
export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

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

function flagsOf(command) {
  if (replays.includes(command)) return replaying;
  if (command === 'exchange') return [...inlining, ...collecting];
  return bots.includes(command) ? [...inlining, ...trading] : inlining;
}

/**
 * Runs `script` with `args` on `node`, in place of this process if `canReplace` and if the platform
 * allows it. `execve` is experimental, so only a Node that the tests run on may do that.
 */
export async function runScript({ node, script, args, canReplace }) {
  const commandLine = [
    ...flagsOf(args[0]),
    `--import=${new URL('runtime/own-modules.mjs', import.meta.url).href}`,
    ...process.execArgv,
    script,
    ...args,
  ];
  // Without a cache, each start would strip and compile the sources again.
  process.env.NODE_COMPILE_CACHE ??= cacheFolder();
  // With an arena for each thread, glibc keeps 40 MB and more of freed memory.
  process.env.MALLOC_ARENA_MAX ??= '1';
  if (canReplace && typeof process.execve === 'function') {
    delete process.env[launcherVariable];
    process.execve(node, [node, ...commandLine], process.env);
  }
  const env = { ...process.env, [launcherVariable]: String(process.pid) };
  // Most starts end above, so they need not load it.
  const { spawn } = await import('node:child_process');
  const child = spawn(node, commandLine, { stdio: 'inherit', env });
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
  child.on('error', (error) => fail(1, `${node} could not be started: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    endBySignal(signal);
  });
}

/** Returns the folder for compiled code: for a package, the usual one of the user's project. */
function cacheFolder() {
  const parent = path.dirname(root);
  if (path.basename(parent) === 'node_modules') return path.join(parent, '.cache', 'millrace');
  return path.join(root, 'node_modules', '.cache', 'compiled');
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
export function endBySignal(signal) {
  process.removeAllListeners(signal);
  process.exitCode = 128 + (os.constants.signals[signal] ?? 0);
  process.kill(process.pid, signal);
  setTimeout(() => process.exit(), 200);
}

/** Ends with a message. */
export function fail(code, text) {
  fs.writeSync(2, `millrace: ${text}\n`);
  process.exit(code);
}
