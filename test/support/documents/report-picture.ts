/**
 * Writes `docs/images/backtest-page.png`, the picture in the README, from the real page of a
 * backtest. Run it with `node src/launch.mjs test/support/documents/report-picture.ts`.
 *
 * It needs a headless Chromium, on Debian: `apt-get install chromium-headless-shell`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const picture = join(root, 'docs/images/backtest-page.png');
const browsers = ['chromium-headless-shell', 'chromium', 'google-chrome'];
/** The top of the page: cautions, figures, price with quotes, orders and fills, profit. */
const [width, height] = [900, 815];
const bytesMax = 200_000;

function browser(): string {
  for (const name of browsers) {
    try {
      execFileSync(name, ['--version'], { stdio: 'ignore' });
      return name;
    } catch {
      // Not installed; the next one may be.
    }
  }
  throw new Error(
    `needs one of ${browsers.join(', ')}; on Debian: apt-get install chromium-headless-shell`,
  );
}

const program = browser();
const backtest = ['run', '--silent', 'millrace', '--', 'backtest', 'backtests/first', '--json'];
const answer = execFileSync('npm', backtest, { cwd: root, encoding: 'utf8' });
const { report } = JSON.parse(answer.trimEnd().split('\n').at(-1) ?? '') as { report: string };
const profile = mkdtempSync(join(tmpdir(), 'millrace-picture-'));
try {
  const options = [
    // Without a sandbox a container's root can run it, too; the page is our own and loads nothing.
    ...['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars'],
    ...[`--user-data-dir=${profile}`, `--window-size=${width},${height}`],
    // The charts are drawn in the frames after the document was read.
    '--virtual-time-budget=3000',
  ];
  // It complains about services of a desktop that a container does not have.
  const silent = { stdio: 'ignore' } as const;
  execFileSync(program, [...options, `--screenshot=${picture}`, `file://${report}`], silent);
} finally {
  rmSync(profile, { recursive: true, force: true });
}
const { size } = statSync(picture);
if (size > bytesMax) throw new Error(`${picture} has ${size} bytes, at most ${bytesMax}`);
console.log(`wrote ${picture} (${size} bytes)`);
