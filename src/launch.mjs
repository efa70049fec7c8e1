/**
 * `node src/launch.mjs SCRIPT [ARGUMENT...]` runs a script of the clone with the pinned Node, which
 * it installs first if necessary. It runs on Node 20 or later, without dependencies.
 */
import fs from 'node:fs';
import path from 'node:path';
import { InstallInterrupted, isInstalled, nodeOf } from './installed.mjs';
import { endBySignal, fail, root, runScript } from './run-script.mjs';

const [script, ...args] = process.argv.slice(2);

if (script === undefined) fail(2, 'usage: node src/launch.mjs SCRIPT [ARGUMENT...]');

try {
  const target = path.resolve(root, script);
  const isOurs = target.startsWith(path.join(root, 'src') + path.sep);
  const level = isOurs ? 'run' : 'all';
  if (!isInstalled(root, level)) await (await import('./install.mjs')).install(root, level);
  const pinned = nodeOf(root);
  if (!fs.existsSync(target)) fail(2, `no such script: ${target}`);
  const canReplace = isSameFile(process.execPath, pinned);
  await runScript({ node: pinned, script: target, args, canReplace });
} catch (error) {
  if (error instanceof InstallInterrupted) endBySignal(error.signal);
  else
    fail(1, error.fix === undefined ? String(error.stack) : `${error.message}\nfix: ${error.fix}`);
}

/** Whether both paths are one file. The install may just have removed the Node that runs this. */
function isSameFile(one, other) {
  return fs.existsSync(one) && fs.realpathSync(one) === fs.realpathSync(other);
}
