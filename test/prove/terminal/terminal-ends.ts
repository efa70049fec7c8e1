/** How the view ends: signals, crashes and Ctrl-Z; and a terminal that takes nothing. */
import { Checks, TerminalPlace } from './terminal-place.ts';
import { checkRestored, shown, within } from './terminal-view-case.ts';

const endsWithinMs = 60_000;
const viewWithinMs = 60_000;
/** The first line of the view, with any state. */
const view = /^demo {2}[A-Z]+ {2}/u;

type End = {
  readonly name: string;
  /** What the strategy does. */
  readonly deed: string;
  readonly signal?: NodeJS.Signals;
  readonly code: number;
  readonly says: RegExp;
};

const ends: readonly End[] = [
  {
    name: 'after an uncaught error',
    deed: `void Promise.reject(new Error('the end of it'));`,
    ...{ code: 1, says: /the end of it/u },
  },
  {
    name: 'after process.exit in a strategy',
    deed: 'process.exit(0);',
    ...{ code: 1, says: /the process was ended by .*ends\.ts:\d+/u },
  },
  {
    name: 'after process.reallyExit in a strategy',
    deed: 'process.reallyExit(0);',
    ...{ code: 1, says: /the process was ended/u },
  },
  {
    name: 'after SIGTERM',
    ...{ deed: '', signal: 'SIGTERM', code: 0, says: /^ran \d+ s in mode demo/mu },
  },
];

/** Each way to end, and whether the terminal is as before. */
export async function playEnds(plant: string | undefined): Promise<Checks> {
  const checks = new Checks();
  for (const end of ends) {
    const place = new TerminalPlace(plant);
    try {
      const screen = place.open(['start', place.writeSettings(end.deed)]);
      const isShown = await screen.shows(view, viewWithinMs);
      checks.note(`${end.name}: the view was shown before`, isShown, () => screen.scrollback);
      if (end.signal !== undefined) screen.kill(end.signal);
      const ended = await within(screen.ended, endsWithinMs);
      const code = JSON.stringify(ended ?? 'it runs on');
      checks.note(`${end.name}: the exit code is ${end.code}`, ended?.code === end.code, code);
      checkRestored(end.name, screen, checks);
      const text = screen.scrollback;
      checks.note(`${end.name}: the scrollback says why`, end.says.test(text), text);
    } finally {
      await place.close();
    }
  }
  return checks;
}

/** Ctrl-Z and fg in a shell. */
export async function playJobs(plant: string | undefined): Promise<Checks> {
  const checks = new Checks();
  const place = new TerminalPlace(plant);
  try {
    const screen = place.open(['--norc', '-i'], { file: 'bash', env: { PS1: 'ready> ' } });
    const words = [process.execPath, ...place.words(['start'])];
    screen.type(`${words.map((word) => `'${word}'`).join(' ')}\r`);
    checks.note('a shell starts it with its view', await screen.shows(view, viewWithinMs), () =>
      shown(screen),
    );
    screen.type('\u001a');
    const stops = await screen.shows(/Stopped[\s\S]*ready> \s*$/u);
    checks.note('Ctrl-Z stops it', stops, () => shown(screen));
    checkRestored('after Ctrl-Z', screen, checks);
    screen.type('fg\r');
    checks.note('fg shows the view again', await screen.shows(view), () => shown(screen));
    screen.type('\u0003');
    const isOver = await screen.shows(/open orders +0[\s\S]*ready> \s*$/u, endsWithinMs);
    checks.note('then Ctrl-C ends it in order', isOver, () => shown(screen));
    screen.type('exit\r');
    await within(screen.ended, endsWithinMs);
  } finally {
    await place.close();
  }
  return checks;
}

const hangsMs = 8_000;
/** What a bot may need for an answer, on a busy machine. */
const answersWithinMs = 6_000;

/** A terminal that takes nothing for a while: the bot trades on and answers. */
export async function playHang(plant: string | undefined): Promise<Checks> {
  const checks = new Checks();
  const place = new TerminalPlace(plant);
  try {
    const screen = await place.openDemo({ columns: 200, rows: 60 });
    screen.pause();
    // What a terminal holds is soon full, if it is written to without end.
    await new Promise((resolve) => setTimeout(resolve, hangsMs));
    const answer = await within(place.run('status', 'config/demo.yaml', '--json'), answersWithinMs);
    const status = answer === undefined ? undefined : JSON.parse(answer.out || 'null');
    const { waitingMs = Number.NaN } = status?.live ?? {};
    checks.note(
      'a bot answers while its terminal hangs',
      waitingMs < 1_000,
      `waits ${waitingMs} ms`,
    );
    screen.resume();
    screen.type('\u0003');
    const ended = await within(screen.ended, endsWithinMs);
    checks.note('and ends in order once it is back', ended?.code === 0, JSON.stringify(ended));
    checkRestored('after it has hung', screen, checks);
  } finally {
    await place.close();
  }
  return checks;
}
