/**
 * Writes `docs/images/terminal-view.svg`, the picture of the screen in the README, from the screen
 * of a demo that has traded for a while. Run it with `node test/support/documents/terminal-picture.ts`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TerminalPlace } from '../../prove/terminal/terminal-place.ts';
import { packageRoot } from '../package-root.ts';
import type { Look } from '../pty-screen.ts';

const tradesForMs = 75_000;
const [cellWidth, lineHeight, margin] = [8, 17, 14];
const [paper, ink, dimInk] = ['#14171c', '#d5d9e0', '#8b929e'];
/** Of the palette: red, green, yellow. */
const colours: Readonly<Record<number, string>> = { 1: '#f07178', 2: '#8fd19e', 3: '#e8c37a' };

function svgOf(lines: readonly (readonly Look[])[], columns: number): string {
  const width = columns * cellWidth + 2 * margin;
  const height = lines.length * lineHeight + 2 * margin;
  const parts = lines.flatMap((looks, row) => looks.flatMap((look) => partsOf(look, row)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img"`,
    ' aria-label="The screen of a running bot">',
    `<rect width="${width}" height="${height}" rx="8" fill="${paper}"/>`,
    '<g font-family="ui-monospace,Menlo,Consolas,monospace" font-size="13">',
    ...parts,
    '</g></svg>\n',
  ].join('\n');
}

function partsOf(look: Look, row: number): readonly string[] {
  const { column, cells, colour, isBold, isDim, isInverse } = look;
  // A user's demo has its home in the project.
  const text = look.text
    .replace(place.home, '.millrace')
    .replace(/#token=.*/u, '#token=...')
    .padEnd(look.text.length);
  const [x, y] = [margin + column * cellWidth, margin + row * lineHeight];
  const width = cells * cellWidth;
  const back = isInverse
    ? [`<rect x="${x}" y="${y}" width="${width}" height="${lineHeight}" fill="#2b313b"/>`]
    : [];
  if (text.trim() === '') return back;
  const fill = colour === undefined ? (isDim ? dimInk : ink) : (colours[colour] ?? ink);
  const weight = isBold || isInverse ? ' font-weight="bold"' : '';
  const fits = `textLength="${width}" lengthAdjust="spacingAndGlyphs"`;
  return [
    ...back,
    `<text x="${x}" y="${y + 13}" fill="${fill}" ${fits}${weight}>${escaped(text)}</text>`,
  ];
}

function escaped(text: string): string {
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  // A browser takes several spaces for one, whatever xml:space says.
  return safe.replaceAll(' ', '\u00a0');
}

const place = new TerminalPlace(undefined);
try {
  const screen = await place.openDemo();
  await new Promise((resolve) => setTimeout(resolve, tradesForMs));
  const path = join(packageRoot, 'docs', 'images', 'terminal-view.svg');
  writeFileSync(path, svgOf(screen.looks, screen.size.columns));
  console.log(`wrote ${path}`);
} finally {
  await place.close();
}
