/** The view of a demo that trades, is resized, halted and stopped, against its database. */
import type { PtyScreen } from '../../support/pty-screen.ts';
import { Checks, TerminalPlace } from './terminal-place.ts';
import { agrees, checkProfit } from './terminal-truth.ts';

const reason = 'the news of the day';
const drawnWithinMs = 5_000;
const fillsWithinMs = 90_000;
const stopsWithinMs = 45_000;

/** Plays it; returns what was looked at, and the last screen of each size. */
export async function playView(
  plant: string | undefined,
): Promise<{ checks: Checks; screens: Record<string, readonly string[]> }> {
  const checks = new Checks();
  const screens: Record<string, readonly string[]> = {};
  const place = new TerminalPlace(plant);
  try {
    const screen = await place.openDemo();
    checks.note('the view has a screen of its own', screen.isAlternate);
    await screen.shows(/(?:bought|sold) +\d/u, fillsWithinMs);
    for (const [columns, rows] of [
      [80, 24],
      [200, 60],
      [40, 12],
      [80, 24],
    ] as const) {
      const size = `${columns} × ${rows}`;
      screen.resize(columns, rows);
      checks.note(`${size}: it is redrawn`, await isRedrawn(screen), () => shown(screen));
      screens[`trading ${size}`] = screen.lines;
      if (columns < 80) {
        checkSmall(screen, checks);
        continue;
      }
      const differs = await agrees(screen, place.store);
      checks.note(`${size}: orders, position and fills are those stored`, !differs, differs);
    }
    await halt(place, screen, checks, screens);
    await stop(screen, checks);
  } finally {
    await place.close();
  }
  return { checks, screens };
}

/** The first and the last line are those of the view, and nothing has scrolled. */
async function isRedrawn(screen: PtyScreen): Promise<boolean> {
  const { rows } = screen.size;
  const until = new RegExp(`^demo  (?:[^\\n]*\\n){${rows - 1}}[^\\n]*Ctrl-C stops it`, 'u');
  return screen.shows(until, drawnWithinMs);
}

function checkSmall(screen: PtyScreen, checks: Checks): void {
  const text = shown(screen);
  for (const part of [/^demo {2}ACTIVE/u, /^XBTZAR +\d/mu, /^mm-xbt .* XBT/mu, /Ctrl-C stops it/u])
    checks.note(`a small terminal still shows ${part.source}`, part.test(text), text);
}

async function halt(
  place: TerminalPlace,
  screen: PtyScreen,
  checks: Checks,
  screens: Record<string, readonly string[]>,
): Promise<void> {
  const halted = await place.run('halt', 'config/demo.yaml', '--reason', reason);
  checks.note('the halt is done', halted.code === 0, halted.err);
  // A line may end within the reason.
  const says = new RegExp(`bot is HALTED: ${reason.replaceAll(' ', '\\s+')}`, 'u');
  checks.note(
    'the screen says that it is halted and why',
    await screen.shows(says, drawnWithinMs),
    () => shown(screen),
  );
  checks.note(
    'the halted bot has no order on the screen',
    await screen.shows(/^no own orders/mu),
    () => shown(screen),
  );
  // Why a strategy does not trade is looked at once a second.
  checks.note(
    'the first line says that it does not trade',
    await screen.shows(/^demo {2}HALTED {2}0 of 1 trade/u, drawnWithinMs),
    () => shown(screen),
  );
  for (const [columns, rows] of [
    [80, 24],
    [200, 60],
  ] as const) {
    const size = `halted, ${columns} × ${rows}`;
    screen.resize(columns, rows);
    checks.note(`${size}: it is redrawn`, await isRedrawn(screen), () => shown(screen));
    const differs = await agrees(screen, place.store);
    checks.note(`${size}: position and fills are those stored`, !differs, differs);
    checkProfit(screen, place.store, size, checks);
    const text = shown(screen);
    checks.note(
      `${size}: the first line says it`,
      /^demo {2}HALTED {2}0 of 1 trade/u.test(text),
      text,
    );
    checks.note(
      `${size}: it says since when, and what ends it`,
      /since \d\d:\d\d:\d\d .*ends when a\s+person resumes it: npm run/su.test(
        text.replaceAll(/ {3,}.*$/gmu, ''),
      ),
      text,
    );
    screens[size] = screen.lines;
  }
}

async function stop(screen: PtyScreen, checks: Checks): Promise<void> {
  screen.type('\u0003');
  const ended = await within(screen.ended, stopsWithinMs);
  checks.note('Ctrl-C ends it in order', ended?.code === 0, JSON.stringify(ended ?? 'it runs on'));
  checkRestored('after Ctrl-C', screen, checks);
  const text = screen.scrollback;
  for (const part of [
    /^ran \d+ s in mode demo/mu,
    /^open orders +0, 0 not known/mu,
    /^fills +\d+ here/mu,
  ])
    checks.note(`the scrollback has the summary: ${part.source}`, part.test(text), text);
  checks.note(
    'the scrollback has the warnings of the view',
    text.includes(`HALTED: ${reason}`),
    text,
  );
}

/** Notes whether a terminal is as it was before the view. */
export function checkRestored(when: string, screen: PtyScreen, checks: Checks): void {
  checks.note(`${when}, the screen with the scrollback is back`, !screen.isAlternate);
  checks.note(`${when}, the cursor is visible`, !screen.isCursorHidden);
  checks.note(`${when}, long lines wrap`, screen.isWrapping);
}

/** Returns what a promise gives, or undefined after the time. */
export async function within<Value>(
  promise: Promise<Value>,
  ms: number,
): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

export function shown(screen: PtyScreen): string {
  return screen.lines.join('\n');
}
