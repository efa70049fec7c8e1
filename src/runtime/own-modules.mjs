/**
 * Resolves the imports between Millrace's own files, and between the files of packages that have
 * many; the launcher loads it before the script.
 *
 * A backtest loads 800 files, and a bot more. For each import, Node looks for the file, for links
 * in its path and for the nearest package.json. In the folders named here, the address of the file
 * follows from the text of a relative import, and a package that our own files import is the same
 * for all of them. The error for a missing file comes from reading it, and does
 * not name the importer; `npm run check` does.
 */
import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';

const own = new URL('../', import.meta.url).href;
/** In the package the files are compiled. */
const isCompiled = existsSync(new URL('../main.js', import.meta.url));
const ownFiles = isCompiled
  ? { ending: '.js', format: 'module' }
  : { ending: '.ts', format: 'module-typescript' };

/** Folders whose relative imports lead to files with this ending in the same folder. */
const folders = [
  { inside: own, ...ownFiles },
  { inside: '/node_modules/rxjs/dist/cjs/', ending: '.js', format: 'commonjs' },
  { inside: '/node_modules/yaml/dist/', ending: '.js', format: 'commonjs' },
  { inside: '/node_modules/zod/', ending: '.js', format: 'module' },
];

/** What our own files import by the name of a package. */
const packages = new Map();

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context;
    if (parentURL === undefined) return next(specifier, context);
    if (specifier.startsWith('.'))
      return resolved(specifier, parentURL) ?? next(specifier, context);
    // The address of a plugin is looked up each time: the file may have been replaced.
    if (!parentURL.startsWith(own) || specifier.startsWith('file:'))
      return next(specifier, context);
    let found = packages.get(specifier);
    if (found === undefined) {
      found = { ...next(specifier, context), shortCircuit: true };
      packages.set(specifier, found);
    }
    return found;
  },
});

/** Returns the file of a relative import inside one of the folders. */
function resolved(specifier, parentURL) {
  for (const { inside, ending, format } of folders) {
    if (!parentURL.includes(inside)) continue;
    const { href } = new URL(specifier, parentURL);
    // RxJS names its files without their ending.
    const url = format === 'commonjs' && !href.endsWith(ending) ? `${href}${ending}` : href;
    if (url.includes(inside) && url.endsWith(ending)) return { url, format, shortCircuit: true };
  }
  return undefined;
}
