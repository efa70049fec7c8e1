/**
 * `node src/check-node.mjs SCRIPT [ARGUMENT...]` is what npm calls: it looks whether this Node and
 * this shell can run Millrace, and hands over to the launcher.
 *
 * Invariant: every Node that knows modules can read this file, so that one that is too old gets a
 * line and not a stack: no `??`, no `node:` imports, no top-level `await`.
 */

/** The oldest Node that the launcher and today's npm run on. */
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

/** Returns how many files this process may open; without bound where the system names none. */
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
