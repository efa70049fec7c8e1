/** Makes notices and effects of what a strategy prints, logs, measures and plots. */
import type { LineFields } from '../../domain/strategy-output.ts';
import type { StrategyHost } from '../../strategy/host.ts';
import type { EngineServices } from '../engine-services.ts';

/** Takes what the strategy has given out for people since the last call. */
export function collectOutputs(context: EngineServices, strategyId: string, host: StrategyHost) {
  for (const { level, text } of host.takePrinted())
    context.notice({ level, topic: 'print', text: `${strategyId}: ${text}` });
  const { outputs } = host;
  if (outputs.isEmpty) return;
  for (const { level, text, fields = {} } of outputs.takeLines())
    context.notice({
      ...{ level, topic: 'log', text: `${strategyId}: ${text}${fieldsText(fields)}` },
      logged: { strategyId, fields },
    });
  for (const point of outputs.takePoints()) context.effect({ kind: 'point', point });
}

/** Returns the fields as they follow a text, such as ` spread=12.5 side=BID`. */
function fieldsText(fields: LineFields): string {
  return Object.entries(fields)
    .map(([name, value]) => ` ${name}=${typeof value === 'string' ? quoted(value) : value}`)
    .join('');
}

function quoted(value: string): string {
  return /^[^\s="]+$/u.test(value) ? value : JSON.stringify(value);
}
