/** Where the package lies: `config/`, `strategies/` and `backtests/` are found from here. */
import { join } from 'node:path';

export const packageRoot = join(import.meta.dirname, '..', '..');

/** Holds the venues that the package brings, a YAML file for each. */
export const venuesFolder = join(packageRoot, 'config', 'venues');
