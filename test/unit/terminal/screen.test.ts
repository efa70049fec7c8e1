/** What is written to a terminal shows the lines: by an emulator, after any sequence of changes. */
import headless from '@xterm/headless';
import { expect, test } from 'vitest';
import { Screen } from '../../../src/terminal/view/screen.ts';
import { piece, type StyledLine } from '../../../src/terminal/view/styled-line.ts';
import { SeededRandom } from '../../support/seeded-random.ts';

const plain = new Screen((_style, text) => text);

function terminalOf(cols: number, rows: number) {
  const terminal = new headless.Terminal({ cols, rows, allowProposedApi: true });
  const write = (text: string) =>
    new Promise<void>((resolve) => terminal.write(text, () => resolve()));
  const lines = () =>
    Array.from(
      { length: rows },
      (_, row) => terminal.buffer.active.getLine(row)?.translateToString(true) ?? '',
    );
  return { terminal, write, lines };
}

test('only changed lines are written, and nothing if none has changed', () => {
  const screen = new Screen((_style, text) => text);
  const lines = (...texts: string[]): StyledLine[] => texts.map((text) => [piece(text)]);
  expect(screen.show(lines('one', 'two', 'three'), 'changes')).toContain('two');
  expect(screen.show(lines('one', 'two', 'three'), 'changes')).toBe('');
  const changed = screen.show(lines('one', '2', 'three'), 'changes');
  expect(changed).toContain('\u001b[2;1H\u001b[K2');
  expect(changed).not.toMatch(/one|three/u);
  expect(screen.show(lines('one', '2', 'three'), 'all')).toMatch(/one.*2.*three/su);
});

test('the emulator shows the lines after any changes', async () => {
  const random = new SeededRandom(1);
  const { write, lines } = terminalOf(30, 6);
  const screen = new Screen((style, text) =>
    style === 'red' ? `\u001b[31m${text}\u001b[39m` : text,
  );
  for (let round = 0; round < 200; round++) {
    const next = Array.from({ length: 6 }, (): StyledLine => {
      const length = random.integer(0, 30);
      const text = 'abc 123 xyz ... full of the end'.slice(0, length);
      return [piece(text.slice(0, 5)), piece(text.slice(5), 'red')];
    });
    await write(screen.show(next, round % 7 === 0 ? 'all' : 'changes'));
    expect(lines().map((line) => line.trimEnd())).toEqual(
      next.map((line) =>
        line
          .map(({ text }) => text)
          .join('')
          .trimEnd(),
      ),
    );
  }
});

test('characters of a doubtful width neither wrap, scroll nor move what follows them', async () => {
  const { write, lines, terminal } = terminalOf(20, 3);
  const wide = [piece('😀你👩e\u0301ﾊ'), piece(' | after', 'bold')];
  const full = [piece('你'.repeat(40))];
  await write(plain.show([wide, full, [piece('last')]], 'all'));
  const [first = '', second = '', third] = lines();
  expect(first).toContain(' | after');
  expect(terminal.buffer.active.getLine(0)?.getCell(10)?.getChars()).toBe('|');
  expect(second.startsWith('你你')).toBe(true);
  expect(third).toBe('last');
  expect(terminal.buffer.active.baseY).toBe(0);
  expect(terminal.modes.wraparoundMode).toBe(true);
});
