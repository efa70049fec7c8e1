/** The part of a compiled recording that a scenario plays, and whether it suits the scenario. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, NotFoundError } from '../domain/errors.ts';
import type { ScenarioSettings } from '../domain/scenario-settings.ts';
import { Recording, type RecordingPart } from '../recording/recording.ts';
import { type LowerModel, lowerModelOf } from './lower/lower-grade.ts';

export type CompiledFlow = RecordingPart & {
  readonly recording: Recording;
  /** Decides fills if the recording is not order by order. */
  readonly lower: LowerModel | undefined;
};

type Scope = Pick<ScenarioSettings, 'market' | 'lowerGrade' | 'fromMs' | 'toMs' | 'folder'> & {
  readonly data: Extract<ScenarioSettings['data'], { kind: 'recording' }>;
};

/**
 * Opens the scenario's recording. Throws NotFoundError if it is not there, DecodeError if it is
 * damaged or has no rows in the scenario's time, and ConfigError if it is of another market, or of
 * a grade that the scenario is not for.
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
    const lower = await lowerModelOf(recording, scope);
    const part = await recording.part(
      fromMs === undefined ? -Infinity : fromMs * 1000,
      toMs === undefined ? Infinity : toMs * 1000 - (lower?.lateMicros ?? 0),
    );
    const blocks = lower === undefined ? part.blocks : blocksThrough(part.blocks, lower);
    return { ...part, blocks, recording, lower };
  } catch (error) {
    recording.close();
    throw error;
  }
}

async function* blocksThrough(
  blocks: RecordingPart['blocks'],
  { flow }: LowerModel,
): RecordingPart['blocks'] {
  for await (const block of blocks) yield flow.blockOf(block);
}

function checkSuits({ path, header }: Recording, { market }: Scope): void {
  for (const name of ['pair', 'priceScale', 'volumeScale'] as const) {
    const [wanted, found] = [market[name], header.market[name]];
    if (wanted !== found)
      throw new ConfigError(`${path}: is of ${name} ${found}, the scenario says ${wanted}`);
  }
}
