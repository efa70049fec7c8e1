/**
 * `node src/check-node.mjs SCRIPT [ARGUMENT...]`, which npm calls, checks that this Node and this
 * shell can run Millrace, and then runs the launcher.
 *
 * Invariant: every Node that supports modules can parse this file, so that a Node that is too old
 * prints a message and not a stack trace: no `??`, no `node:` imports, no top-level `await`.
 */

/** The oldest Node on which the launcher and current versions of npm run. */
const nodeMajorMin = 20;
const openFilesMin = 128;

const major = Number.parseInt(process.versions.node, 10);
const openFiles = openFilesMax();
if (major < nodeMajorMin)
  end(
    `Node ${process.versions.node} is too old: Millrace needs Node ${nodeMajorMin} or newer, with npm; ` +
      'install one from https://nodejs.org and run the command again',
  );
else if (openFiles < openFilesMin)
  end(
    `this shell allows ${openFiles} open files, and Millrace needs ${openFilesMin} or more: ` +
      'run `ulimit -n 1024` and the command again',
  );
else import('./launch.mjs');

/** Returns how many files this process may open; Infinity if the system reports no limit. */
function openFilesMax() {
  const { report, platform } = process;
  if (report === undefined || platform === 'win32') return Number.POSITIVE_INFINITY;
  report.excludeNetwork = true;
  const limit = report.getReport().userLimits.open_files.soft;
  return typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY;
}

function end(text) {
  console.error(`millrace: ${text}`);
  process.exit(1);
}
