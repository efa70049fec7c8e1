/**
 * Resolves the imports between Millrace's own files; the launcher loads it before the script.
 *
 * A backtest has 900 such imports, and a bot more. For each, Node looks for the file, for links in
 * its path and for the nearest package.json. Imports inside `src` are complete file names without
 * links, so the address of the file follows from the text (D-625). The error for a missing file
 * comes from reading it, and does not name the importer; `npm run check` does.
 */
import { registerHooks } from 'node:module';

const own = new URL('../', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('.') && context.parentURL?.startsWith(own)) {
      const { href: url } = new URL(specifier, context.parentURL);
      if (url.startsWith(own) && url.endsWith('.ts'))
        return { url, format: 'module-typescript', shortCircuit: true };
    }
    return next(specifier, context);
  },
});
