/**
 * The command line with a fault of the terminal view built in, which `MILLRACE_PLANT` names.
 *
 *     node terminal-main.ts COMMAND [ARGUMENT...]
 */
import { terminalPlants } from './terminal-plants.ts';

terminalPlants[process.env['MILLRACE_PLANT'] ?? '']?.install();
await import('../../../src/main.ts');
