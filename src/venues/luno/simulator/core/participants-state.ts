/** What the participants of one market remember between their steps. */
import { createSeededRandom, type RandomState } from '../../../../runtime/seeded-random.ts';
import type { ParticipantSettings } from './simulator-settings.ts';

export type ParticipantsState = {
  readonly settings: ParticipantSettings;
  random: RandomState;
  /** How far the fair value is from the start price, as a fraction. */
  deviation: number;
  /** When the participants act next. */
  nextBeatMicros: number;
  bidIds: string[];
  askIds: string[];
};

export function createParticipantsState(
  settings: ParticipantSettings,
  seed: string,
  timeMicros: number,
): ParticipantsState {
  return {
    settings,
    random: createSeededRandom(seed).state(),
    deviation: 0,
    nextBeatMicros: timeMicros,
    bidIds: [],
    askIds: [],
  };
}
