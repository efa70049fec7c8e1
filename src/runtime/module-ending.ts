/**
 * The ending of Millrace's own modules, for those that are found by name and not imported: `.ts` in
 * the clone, whose TypeScript Node runs as it is, and `.js` in the package, since Node strips no
 * types below `node_modules`.
 */
import { extname } from 'node:path';

export const moduleEnding = extname(import.meta.filename);
