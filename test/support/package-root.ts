/** The clone's folder, and its workspace for code that is called without the command line. */
import { join } from 'node:path';
import { workspaceOf } from '../../src/terminal/find-workspace.ts';

export const packageRoot = join(import.meta.dirname, '..', '..');

export const workspace = workspaceOf(packageRoot, { cwd: packageRoot, environment: process.env });
