/**
 * Whether this Node and this shell can run Millrace.
 *
 * Invariant: every Node that supports modules can parse this file and those that import it, so that
 * a Node that is too old prints a message and not a stack trace: no `??`, no `node:` imports, no
 * top-level `await`.
 */
const openFilesMin = 128;

/** Prints the problem and ends the process, unless Node has at least the version `least`. */
export function requireNode(least) {
  const problem = nodeProblem(least);
  if (problem === undefined) return;
  console.error(`millrace: ${problem}`);
  process.exit(1);
}

function nodeProblem(least) {
  const own = numbersOf(process.versions.node);
  const [major, minor] = numbersOf(least);
  if (own[0] < major || (own[0] === major && own[1] < minor))
    return (
      `Node ${process.versions.node} is too old: Millrace needs Node ${least} or newer, with npm; ` +
      'install one from https://nodejs.org and run the command again'
    );
  const openFiles = openFilesMax();
  if (openFiles < openFilesMin)
    return (
      `this shell allows ${openFiles} open files, and Millrace needs ${openFilesMin} or more: ` +
      'run `ulimit -n 1024` and the command again'
    );
  return undefined;
}

function numbersOf(version) {
  return version.split('.').map((part) => Number.parseInt(part, 10));
}

/** Returns how many files this process may open; Infinity if the system reports no limit. */
function openFilesMax() {
  const { report, platform } = process;
  if (report === undefined || platform === 'win32') return Number.POSITIVE_INFINITY;
  report.excludeNetwork = true;
  const limit = report.getReport().userLimits.open_files.soft;
  return typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY;
}
