/** The groups of checks of the page's proof. To add one, add a line. */
import type { CheckGroup } from './check-log.ts';
import { debugGroup } from './debug-group.ts';
import { liveGroup } from './live-group.ts';
import { resultGroup } from './result-group.ts';

export const checkGroups: readonly CheckGroup[] = [liveGroup, resultGroup, debugGroup];
