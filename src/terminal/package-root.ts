/** Where the package lies: `config/`, `strategies/` and `backtests/` are found from here. */
import { join } from 'node:path';

export const packageRoot = join(import.meta.dirname, '..', '..');
