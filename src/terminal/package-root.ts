/** The package's folder, which contains `config/`, `strategies/` and `backtests/`. */
import { join } from 'node:path';

export const packageRoot = join(import.meta.dirname, '..', '..');

/** The venues that the package provides, one YAML file for each. */
export const venuesFolder = join(packageRoot, 'config', 'venues');
