/** How a command that is suggested to a person names the settings and the home of a bot. */
import { join, relative } from 'node:path';
import { packageRoot } from './package-root.ts';

/** Returns ` --home HOME`, or nothing where it is the usual one. */
export function homeFlag(home: string): string {
  return home === join(packageRoot, '.millrace') ? '' : ` --home ${quoted(home)}`;
}

/** Returns ` CONFIG`, or nothing where it is the demo's. */
export function configArgument(config: string): string {
  const isUsual = relative(packageRoot, config) === join('config', 'demo.yaml');
  return isUsual ? '' : ` ${quoted(config)}`;
}

/** Returns the command that starts the simulated exchange of `home` where it listened before. */
export function exchangeCommand(home: string, baseUrl: string): string {
  const { port, protocol } = new URL(baseUrl);
  const tls = protocol === 'https:' ? ' --tls' : '';
  return `npm run --silent millrace -- exchange --port ${port}${tls}${homeFlag(home)}`;
}

/** Returns `path` as a shell takes it. */
export function quoted(path: string): string {
  return /^[\w./@%+,:-]+$/u.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
