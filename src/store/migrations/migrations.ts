/** All steps of the schema, in order. A new version adds a file in this folder and a line here. */
import type { Migration } from './migration.ts';
import { version1 } from './version-1.ts';
import { version2 } from './version-2.ts';
import { version3 } from './version-3.ts';
import { version4 } from './version-4.ts';
import { version5 } from './version-5.ts';
import { version6 } from './version-6.ts';
import { version7 } from './version-7.ts';
import { version8 } from './version-8.ts';

export const migrations: readonly Migration[] = [
  version1,
  version2,
  version3,
  version4,
  version5,
  version6,
  version7,
  version8,
];
