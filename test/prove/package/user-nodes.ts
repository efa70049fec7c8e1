/**
 * The Node of the user: the oldest that is supported runs the same backtest, and older ones are
 * refused with one line. They come from npm, as the clone's own.
 */
import { join } from 'node:path';
import { faultOf } from './bad-plugins.ts';
import {
  type InstalledProject,
  millrace,
  resultOf,
  succeeded,
  write,
} from './installed-project.ts';

const oldest = '22.19.0';
const tooOld = ['18', '20'];

/** Returns the number of bad inputs that were tried. */
export async function tryNodes(
  project: InstalledProject,
  hash: unknown,
  faults: string[],
): Promise<number> {
  const folder = join(project.base, 'nodes');
  const name = `node-${process.platform}-${process.arch}`;
  const wanted = [...tooOld, oldest].map((version) => `node${version}@npm:${name}@${version}`);
  write(folder, 'package.json', '{ "private": true }');
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--force'];
  await succeeded(['npm', 'install', ...flags, ...wanted], { cwd: folder });
  const nodeOf = (version: string): string =>
    join(folder, 'node_modules', `node${version}`, 'bin/node');
  for (const version of tooOld) {
    const ended = await millrace(project, ['backtest'], { node: nodeOf(version) });
    const words = [new RegExp(`Node ${version}\\.\\S+ is too old`, 'u'), /needs Node 22\.19/u];
    const fault = faultOf(`Node ${version}`, ended, words);
    if (fault !== undefined) faults.push(fault);
  }
  const ended = await millrace(project, ['backtest', '--json'], { node: nodeOf(oldest) });
  const found = resultOf(ended)?.['hash'];
  if (found !== hash)
    faults.push(`Node ${oldest}: its hash is ${found}, not ${hash}: ${ended.err}`);
  return tooOld.length;
}
