/** The bots that a page shows: its own, and those of the registry of this user. */
import { lstatSync } from 'node:fs';
import { type RegisteredBot, registeredBots, type SeenBot } from '../../control/bot-registry.ts';
import { commandTokenPath } from '../access/token-file.ts';
import type { BotEntry } from '../api/bot-answers.ts';

export type KnownBotsOptions = {
  /** The folder of the registry. */
  readonly registry: string;
  readonly own: RegisteredBot;
  readonly nowMs: () => number;
};

export class KnownBots {
  readonly #options: KnownBotsOptions;
  /** Ids of bots whose process runs but did not answer when it was last asked. */
  readonly #silent = new Set<string>();

  constructor(options: KnownBotsOptions) {
    this.#options = options;
  }

  /** The own bot first, then by name. */
  all(): readonly SeenBot[] {
    const { registry, own, nowMs } = this.#options;
    const others = registeredBots(registry, nowMs()).filter(({ id }) => id !== own.id);
    return [{ ...own, isAlive: true }, ...others];
  }

  find(id: string): SeenBot | undefined {
    return this.all().find((bot) => bot.id === id);
  }

  /** Notes whether a bot answered. */
  note(id: string, answers: boolean): void {
    if (answers) this.#silent.delete(id);
    else this.#silent.add(id);
  }

  entryOf(seen: SeenBot): BotEntry {
    const { id, bot, mode, startedMs, endedMs, isAlive } = seen;
    return {
      ...{ id, bot, mode, startedMs },
      state: this.#stateOf(seen),
      isOwn: id === this.#options.own.id,
      endedMs: endedMs ?? null,
      takesCommands:
        isAlive && lstatSync(commandTokenPath(seen), { throwIfNoEntry: false }) !== undefined,
    };
  }

  #stateOf({ id, endedMs, isAlive }: SeenBot): BotEntry['state'] {
    if (!isAlive) return endedMs === undefined ? 'gone' : 'stopped';
    return this.#silent.has(id) ? 'silent' : 'running';
  }
}
