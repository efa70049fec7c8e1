/** Where lines are wanted instead of the view, and where no colours are. */
import { stripVTControlCharacters } from 'node:util';
import { cellsOf } from '../../../src/terminal/view/cells.ts';
import { Checks, TerminalPlace } from './terminal-place.ts';
import { shown, within } from './terminal-view-case.ts';

const esc = '\u001b';
const runsFor = ['--for', '10s'];
const endsWithinMs = 90_000;
/** Ids of the simulated exchange, and our own. */
const orderId = /BX[0-9A-Z]{13}|b1-[a-z0-9]+-[a-z0-9]+-/u;
const columns = 80;

/** With pipes, with --plain, with --json and on a terminal that can do nothing. */
export async function playPlain(plant: string | undefined): Promise<Checks> {
  const checks = new Checks();
  const place = new TerminalPlace(plant);
  try {
    const piped = await place.pipe(['start', ...runsFor]);
    const text = `${piped.out}${piped.err}`;
    checks.note('with a pipe it ends in order', piped.code === 0, text);
    checks.note('a pipe gets no escapes', !text.includes(esc));
    checks.note(
      'a pipe gets lines about orders',
      / order +mm-xbt .* is open \(order \d+\)/u.test(text),
      text,
    );
    checks.note(
      'lines have no ids of orders',
      !orderId.test(text),
      () => orderId.exec(text)?.[0] ?? '',
    );
    const routine = text.split('\n').filter((line) => /^\S+ {3}(?:quote|order) /u.test(line));
    const long = routine.filter(
      (line) => / (?:wants|is open) /u.test(line) && cellsOf(line) > columns,
    );
    checks.note(`lines about quotes and orders fit ${columns} columns`, long.length === 0, long[0]);
  } finally {
    await place.close();
  }
  for (const [name, args, env] of [
    ['--plain', ['--plain'], {}],
    ['--json', ['--json'], {}],
    ['TERM=dumb', [], { TERM: 'dumb' }],
  ] as const) {
    // A home of its own: the exchange still counts the calls of an earlier run.
    const own = new TerminalPlace(plant);
    try {
      const screen = own.open(['start', ...runsFor, ...args], { env });
      const ended = await within(screen.ended, endsWithinMs);
      checks.note(`${name}: it ends in order`, ended?.code === 0, () => screen.scrollback);
      checks.note(`${name}: no view`, !screen.written.includes(`${esc}[?1049h`));
      const seen = stripVTControlCharacters(screen.written);
      checks.note(`${name}: lines`, /is open \(order \d+\)/u.test(seen), seen.slice(-2_000));
    } finally {
      await own.close();
    }
  }
  return checks;
}

/** With NO_COLOR the view is there, without any colour. */
export async function playNoColour(plant: string | undefined): Promise<Checks> {
  const checks = new Checks();
  for (const [env, hasColours] of [
    [{ NO_COLOR: '1' }, false],
    [{}, true],
  ] as const) {
    const place = new TerminalPlace(plant);
    try {
      const screen = await place.openDemo({ env });
      const name = `${hasColours ? 'without' : 'with'} NO_COLOR`;
      // biome-ignore lint/suspicious/noControlCharactersInRegex: it begins every escape.
      const colours = /\u001b\[[\d;]*m/u.exec(screen.written)?.[0];
      checks.note(`${name} the view is shown`, screen.isAlternate, () => shown(screen));
      checks.note(
        `${name} it has ${hasColours ? '' : 'no '}colours`,
        (colours !== undefined) === hasColours,
      );
      screen.type('\u0003');
      await within(screen.ended, endsWithinMs);
    } finally {
      await place.close();
    }
  }
  return checks;
}
