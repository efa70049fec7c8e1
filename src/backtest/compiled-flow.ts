/** The part of a compiled recording that a scenario plays, and whether it suits the scenario. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, NotFoundError } from '../domain/errors.ts';
import type { ScenarioSettings } from '../domain/scenario-settings.ts';
import { Recording, type RecordingPart } from '../recording/recording.ts';

export type CompiledFlow = RecordingPart & { readonly recording: Recording };

type Scope = Pick<ScenarioSettings, 'market' | 'fromMs' | 'toMs' | 'folder'> & {
  readonly data: Extract<ScenarioSettings['data'], { kind: 'recording' }>;
};

/**
 * Opens the scenario's recording. Throws NotFoundError if it is not there, DecodeError if it is
 * damaged or has no rows in the scenario's time, and ConfigError if it is of another market or
 * cannot prove a fill.
 */
export async function openCompiledFlow(scope: Scope, dataFolder: string): Promise<CompiledFlow> {
  const { data, folder, fromMs, toMs } = scope;
  const path =
    data.set === undefined
      ? join(folder, data.recording)
      : join(dataFolder, data.set, data.recording);
  if (!existsSync(path))
    throw new NotFoundError(
      `${path} is not there: the scenario plays this recording; millrace compile or import makes one`,
    );
  const recording = new Recording(path);
  try {
    checkSuits(recording, scope);
    const part = await recording.part(
      fromMs === undefined ? -Infinity : fromMs * 1000,
      toMs === undefined ? Infinity : toMs * 1000,
    );
    return { ...part, recording };
  } catch (error) {
    recording.close();
    throw error;
  }
}

function checkSuits({ path, header }: Recording, { market }: Scope): void {
  if (header.grade !== 'order')
    throw new ConfigError(
      `${path}: holds ${header.grade} only; a backtest needs order by order data, since nothing else proves that an order of ours was filled`,
    );
  for (const name of ['pair', 'priceScale', 'volumeScale'] as const) {
    const [wanted, found] = [market[name], header.market[name]];
    if (wanted !== found)
      throw new ConfigError(`${path}: is of ${name} ${found}, the scenario says ${wanted}`);
  }
}
