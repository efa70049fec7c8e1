/**
 * `millrace dev` in the project, with a browser's two requests: each save is timed until the page
 * has heard of the run and has read its report. Files are saved half-written, deleted and renamed.
 */
import { spawn } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  binOf,
  changed,
  environment,
  type InstalledProject,
  millrace,
  read,
  resultOf,
  write,
} from './installed-project.ts';
import { idleShare } from './machine-idle.ts';

const eventMs = 60_000;
const plainRuns = 3;
const code = 'strategies/quoter.ts';
const settings = 'millrace.yaml';

type RunEvent = { readonly run: number; readonly problem: string | null };

type Edit = {
  readonly what: string;
  readonly save: () => void;
  /** What the page must say; undefined if the run is fine. */
  readonly problem?: RegExp;
  /** Whether orders and fills are others than in the last good run. */
  readonly changes?: boolean;
};

export type DevFigures = {
  readonly edits: number;
  readonly brokenEdits: number;
  /** Of the slowest edit whose run was fine. */
  readonly devSeconds: number;
  readonly devSecondsBest: number;
  /** Of the fastest of some plain backtests. */
  readonly backtestSeconds: number;
  /** The least share of a second before a save in which the processors were idle. */
  readonly idleShare: number;
};

export async function editInDev(project: InstalledProject, faults: string[]): Promise<DevFigures> {
  const backtestSeconds = await plainBacktest(project);
  const { folder } = project;
  const before = [code, settings].map((name) => [name, read(folder, name)] as const);
  const dev = await startDev(project);
  try {
    await dev.event(0);
    let { report } = await dev.page();
    let run = 1;
    const seconds: number[] = [];
    const idle: number[] = [];
    const edits = editsOf(folder);
    for (const { what, save, problem, changes = false } of edits) {
      idle.push(await idleShare());
      const startedMs = performance.now();
      save();
      const event = await dev.event(run);
      const page = await dev.page();
      const tookSeconds = (performance.now() - startedMs) / 1_000;
      run = event.run;
      if (problem === undefined) {
        seconds.push(tookSeconds);
        if (event.problem !== null) faults.push(`dev, ${what}: ${event.problem}`);
        if (changes === (page.report === report))
          faults.push(`dev, ${what}: its report ${changes ? 'did not change' : 'changed'}`);
        report = page.report;
      } else if (!problem.test(event.problem ?? '')) {
        faults.push(`dev, ${what}: it must say ${problem}, and said ${event.problem}`);
      } else if (page.report !== report) faults.push(`dev, ${what}: the last report is gone`);
    }
    const broken = edits.filter(({ problem }) => problem !== undefined);
    const [best, slowest] = [Math.min(...seconds), Math.max(...seconds)];
    return {
      ...{ edits: edits.length, brokenEdits: broken.length, backtestSeconds },
      ...{ devSeconds: slowest, devSecondsBest: best, idleShare: Math.min(...idle) },
    };
  } finally {
    await dev.stop();
    for (const [name, text] of before) write(folder, name, text);
  }
}

/** Each is made on the files that the one before it left. */
function editsOf(folder: string): readonly Edit[] {
  const text = read(folder, code);
  const further = changed(text, 'mid * (1 - halfSpread)', 'mid * (1 - 2 * halfSpread)');
  const wider = changed(read(folder, settings), '"20bps"', '"30bps"');
  const path = join(folder, code);
  const away = join(folder, 'strategies/moved.ts');
  return [
    { what: 'another price', save: () => write(folder, code, further), changes: true },
    { what: 'another parameter', save: () => write(folder, settings, wider), changes: true },
    {
      what: 'half-written',
      save: () => write(folder, code, further.slice(0, further.length / 2)),
      problem: /quoter\.ts cannot be loaded: .*quoter\.ts:\d+: /u,
    },
    { what: 'written whole', save: () => write(folder, code, text), changes: true },
    { what: 'deleted', save: () => rmSync(path), problem: /there is no .*quoter\.ts/u },
    { what: 'written again', save: () => write(folder, code, further), changes: true },
    {
      what: 'renamed',
      save: () => renameSync(path, away),
      problem: /there is no \S.*quoter\.ts; the folder has .*moved\.ts/u,
    },
    { what: 'renamed back', save: () => renameSync(away, path) },
  ];
}

/** Returns the seconds of the fastest of some runs. */
async function plainBacktest(project: InstalledProject): Promise<number> {
  const seconds: number[] = [];
  for (let count = 0; count < plainRuns; count += 1) {
    const ended = await millrace(project, ['backtest', '--json']);
    if (resultOf(ended)?.['hash'] === undefined) throw new Error(`backtest: ${ended.err}`);
    seconds.push(ended.seconds);
  }
  return Math.min(...seconds);
}

async function startDev({ folder }: InstalledProject) {
  const child = spawn(process.execPath, [binOf(folder), 'dev', '--port', '0'], {
    cwd: folder,
    env: environment(process.execPath),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((settle) => child.once('close', settle));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  let url: string | undefined;
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) {
    url = /^page (?<url>\S+)$/u.exec(line)?.groups?.['url'];
    if (url !== undefined) break;
  }
  // What the terminal shows is not read any more, and must not fill the pipe.
  child.stdout.resume();
  if (url === undefined) throw new Error('millrace dev named no page');
  const events = eventsOf(`${url}/events`);
  return {
    stop,
    /** Waits for the end of a run after `run`. */
    event: async (run: number): Promise<RunEvent> => {
      for (;;) {
        const event = await events();
        if (event.run > run) return event;
      }
    },
    page: async (): Promise<{ report: string }> => {
      const response = await fetch(`${url}/report`);
      return { report: await response.text() };
    },
  };
}

/** Returns a function that waits for the next event of the page. */
function eventsOf(url: string): () => Promise<RunEvent> {
  const events = (async function* read() {
    const { body } = await fetch(url);
    let text = '';
    for await (const bytes of body ?? []) {
      text += Buffer.from(bytes).toString('utf8');
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const data = /^data: (.*)$/mu.exec(part)?.[1];
        if (data !== undefined) yield JSON.parse(data) as RunEvent;
      }
    }
  })();
  return async () => {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error('no event of the page')), eventMs);
    try {
      const { value, done } = await Promise.race([events.next(), late.promise]);
      if (done === true) throw new Error('millrace dev ended');
      return value;
    } finally {
      clearTimeout(timer);
    }
  };
}
