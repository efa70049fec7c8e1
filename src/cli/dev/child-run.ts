/** Runs a command of Millrace, or a script of Node, in a process of its own. */
import { spawn } from 'node:child_process';

export type ChildRun = {
  /** Settles when the process has ended. */
  readonly ended: Promise<ChildEnd>;
  /** Ends the process at once; it keeps nothing that a later run needs. */
  stop(): void;
};

export type ChildEnd = {
  /** Undefined if a signal ended the process. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
};

/** Runs `millrace WORDS` with the flags of this process; `flags` are further ones of Node. */
export function runMillrace(words: readonly string[], flags: readonly string[] = []): ChildRun {
  const [, main = ''] = process.argv;
  return runNode([...process.execArgv, ...flags, main, ...words]);
}

/** Runs `node WORDS`. */
export function runNode(words: readonly string[]): ChildRun {
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const { promise: ended, resolve, reject } = Promise.withResolvers<ChildEnd>();
  child.on('error', reject);
  child.on('close', (code) => resolve({ code: code ?? undefined, stdout, stderr }));
  return { ended, stop: () => child.kill('SIGKILL') };
}
