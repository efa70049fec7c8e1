#!/usr/bin/env node
/** `npm create millrace FOLDER` is `millrace init FOLDER` of the millrace of the same version. */
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('bin.mjs', import.meta.resolve('millrace')));
const args = [bin, 'init', ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
