#!/usr/bin/env node
/**
 * `millrace [ARGUMENT...]`, the command of the package: it runs on the Node of the user, which must
 * be one of those that package.json names.
 */
import { requireNode } from './node-problem.mjs';

requireNode('22.19');
import('./run-script.mjs').then(({ runScript, root }) =>
  runScript({
    node: process.execPath,
    script: `${root}/src/main.js`,
    args: process.argv.slice(2),
    canReplace: true,
  }),
);
