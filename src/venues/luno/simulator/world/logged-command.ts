/**
 * Commands as they are stored in the log of a state folder. The logs of early versions contain two
 * forms that are no longer written:
 *
 *     {"timeMicros":…,"kind":"place","userId":"desk","parameters":{…}}     now a call of postorder
 *     {"timeMicros":…,"kind":"stop","userId":"desk","orderId":"BX…"}       now a call of stoporder
 */
import type { ParametersOf } from '../../api/operation.ts';
import type { Operations } from '../../api/operations.ts';
import type { Command } from './world-command.ts';

export type LoggedCommand =
  | Command
  | {
      readonly timeMicros: number;
      readonly kind: 'place';
      readonly userId: string;
      readonly parameters: ParametersOf<Operations['postorder']>;
    }
  | {
      readonly timeMicros: number;
      readonly kind: 'stop';
      readonly userId: string;
      readonly orderId: string;
    };

/** Converts a logged command to its current form. */
export function commandOf(logged: LoggedCommand): Command {
  if (logged.kind !== 'place' && logged.kind !== 'stop') return logged;
  const { timeMicros, userId } = logged;
  return logged.kind === 'place'
    ? { timeMicros, kind: 'call', userId, operation: 'postorder', parameters: logged.parameters }
    : {
        timeMicros,
        kind: 'call',
        userId,
        operation: 'stoporder',
        parameters: { order_id: logged.orderId },
      };
}
