/** One event of a run as lines for people. */
import type { EventFacts, Happening, JudgedOrder } from '../../bot/debug/event-facts.ts';
import type { MarketState, OwnOrder } from '../../domain/bot-status.ts';
import type { CheckVerdict, RuleVerdict } from '../../domain/check-verdict.ts';

const levelsShown = 5;

export function eventLines(facts: EventFacts): readonly string[] {
  return [
    `event      ${facts.number}, ${facts.time}: ${facts.text}`,
    ...facts.happenings.flatMap(happeningLines),
    ...facts.markets.flatMap((market) => marketLines(market, facts.placesIn)),
    ...facts.positions.map(
      ({ strategyId, pair, base, held, lowest, highest }) =>
        `position   ${strategyId} ${pair}: ${held} ${base}, ${lowest} to ${highest} if its orders fill`,
    ),
  ];
}

function happeningLines(happening: Happening): readonly string[] {
  switch (happening.kind) {
    case 'given':
      return [`given      ${happening.strategyId}: ${happening.text}`];
    case 'emitted': {
      const again = happening.isRepeated ? ' (as before)' : '';
      return [`emitted    ${happening.strategyId}: ${happening.text}${again}`];
    }
    case 'judged':
      return judgedLines(happening);
    case 'left':
      return [`left       ${happening.text}`];
    case 'stored':
      return [`stored     ${happening.record}: ${happening.text}`];
    case 'said':
      return [`said       ${happening.text}`];
  }
}

function judgedLines(judged: JudgedOrder): readonly string[] {
  const { strategyId, name, side, volume, pair, price, isApproved, checks } = judged;
  const verdict = isApproved ? 'approved' : 'refused';
  return [
    `gate       ${strategyId} ${name} ${side} ${volume} ${pair} at ${price}: ${verdict}`,
    ...checks.flatMap(checkLines),
  ];
}

function checkLines({ position, name, rules }: CheckVerdict): readonly string[] {
  const head = `  ${String(position).padStart(2)} ${name}`;
  if (rules.length === 0) return [`${head}: passes, no rule of it applies`];
  return rules.map((rule) => `${head}: ${ruleText(rule)}`);
}

function ruleText({ isPassed, code, observed, limit, unit }: RuleVerdict): string {
  return `${isPassed ? 'passes' : 'REFUSES'}, ${code}: ${observed} against ${limit} ${unit}`;
}

function marketLines(
  { pair, bids, asks, ownOrders, unusableReason }: MarketState,
  placesIn: EventFacts['placesIn'],
): readonly string[] {
  const levels = (side: MarketState['bids']): string =>
    side
      .slice(0, levelsShown)
      .map(({ price, volume }) => `${price} (${volume})`)
      .join(' ') || 'none';
  return [
    unusableReason === null
      ? `book       ${pair}: bids ${levels(bids)}; asks ${levels(asks)}`
      : `book       ${pair}: unusable, ${unusableReason}`,
    ...ownOrders.map((order) => `order      ${orderText(order, placesIn)}`),
  ];
}

function orderText(order: OwnOrder, placesIn: EventFacts['placesIn']): string {
  const { strategyId, side, remaining, price, state, aheadVolume, clientOrderId } = order;
  const where = placesIn === 'exchange' ? 'at the exchange' : 'in our book';
  const place = aheadVolume === null ? '' : `, ${aheadVolume} ahead of it ${where}`;
  return `${strategyId} ${side} ${remaining} at ${price}, ${state}${place}, ${clientOrderId}`;
}
