/**
 * `node src/check-node.mjs SCRIPT [ARGUMENT...]`, which npm calls in the clone, checks that this
 * Node can run the launcher, and then runs it.
 */
import { requireNode } from './node-problem.mjs';

// The oldest Node on which the launcher and current versions of npm run.
requireNode('20');
import('./launch.mjs');
