/** Profit and its parts, inventory against its limits, balances. */
import type { JSX } from 'preact';
import type { BotStatus, LimitUse, StrategyState } from '../../domain/bot-status.ts';
import { Badge } from '../components/badge.tsx';
import { Card, Fact, Facts } from '../components/card.tsx';
import { Figure } from '../components/figure.tsx';
import { Empty } from '../components/states.tsx';
import { Table } from '../components/table.tsx';
import { BalanceBar } from '../components/use-bar.tsx';
import { drawn, exactText } from '../format/figures.ts';

type StatusProps = { readonly status: BotStatus };

export function ProfitPanel({ status }: StatusProps): JSX.Element {
  return (
    <Card
      title="Profit"
      name="profit"
      help={[
        'Since the first run, the position valued at the mid. Profit = spread − fees + inventory:',
        'spread is the distance to the mid at each fill, inventory what the position gained by moves',
        'of the mid.',
      ].join(' ')}
    >
      {status.strategies.map((one) => (
        <StrategyProfit key={`${one.strategyId} ${one.pair}`} one={one} />
      ))}
      {status.strategies.length === 0 && <Empty>No strategies.</Empty>}
    </Card>
  );
}

function StrategyProfit({ one }: { readonly one: StrategyState }): JSX.Element {
  const { strategyId, pair, counter, profit, fees, profitParts, fills, status } = one;
  const unknown = profitParts?.fillsWithoutMid ?? 0;
  return (
    <div class="strategy" data-strategy={strategyId} data-pair={pair}>
      <h3>
        {strategyId} on {pair} {status !== 'running' && <Badge text={status} tone="warn" />}
      </h3>
      <Facts>
        <Fact name={`Profit (${counter})`}>
          <Figure value={profit} isGain isFixed note="after fees" />
        </Fact>
        <Fact name="Spread">
          <Figure value={profitParts?.spread} isGain isFixed />
        </Fact>
        <Fact name="Fees">
          <Figure value={profitParts?.fees ?? fees} isFixed />
        </Fact>
        <Fact name="Inventory">
          <Figure value={profitParts?.inventory} isGain isFixed />
        </Fact>
        <Fact name="Fills">
          <Figure value={fills} decimals={0} />
        </Fact>
      </Facts>
      {unknown > 0 && (
        <p data-fills-without-mid={unknown}>
          The mid is not known of {unknown} of {fills} fills; their spread is in the inventory.
        </p>
      )}
    </div>
  );
}

export function InventoryPanel({ status }: StatusProps): JSX.Element {
  return (
    <Card
      title="Inventory"
      name="inventory"
      help="What the fills gained of the base currency, after fees, between the limits on the position."
    >
      {status.strategies.map((one) => (
        <Inventory
          key={`${one.strategyId} ${one.pair}`}
          one={one}
          limit={positionLimitOf(status.limits, one)}
        />
      ))}
      {status.strategies.length === 0 && <Empty>No strategies.</Empty>}
    </Card>
  );
}

type InventoryProps = { readonly one: StrategyState; readonly limit: LimitUse | undefined };

function Inventory({ one, limit }: InventoryProps): JSX.Element {
  const { strategyId, pair, base, position } = one;
  const max = limit === undefined ? 0 : drawn(limit.max);
  const share = max > 0 ? drawn(position) / max : 0;
  return (
    <div class="strategy" data-strategy={strategyId} data-pair={pair}>
      <div class="use-text">
        <span>
          {strategyId} on {pair}
        </span>
        <span>
          <Figure value={position} decimals={6} unit={base} />
          {limit !== undefined && <small class="soft"> of ±{exactText(limit.max)}</small>}
        </span>
      </div>
      {limit !== undefined && (
        <BalanceBar
          share={share}
          label={`Position ${exactText(position)} ${base} of at most ${exactText(limit.max)}`}
        />
      )}
    </div>
  );
}

/** Returns the tightest limit on the position of a strategy: its own, or that of the pair. */
function positionLimitOf(
  limits: readonly LimitUse[],
  { strategyId, pair }: StrategyState,
): LimitUse | undefined {
  return limits
    .filter(
      ({ key, scope }) => key.endsWith('positionBaseMax') && [strategyId, pair].includes(scope),
    )
    .sort((a, b) => drawn(a.max) - drawn(b.max))[0];
}

export function BalancesPanel({
  balances,
}: {
  readonly balances: BotStatus['balances'];
}): JSX.Element {
  return (
    <Card title="Balances" name="balances">
      <Table
        caption="Balances"
        rows={balances}
        rowKey={({ currency }) => currency}
        empty="No balance has been read yet."
        columns={[
          { key: 'currency', title: 'Currency', cell: ({ currency }) => currency },
          {
            key: 'balance',
            title: 'Balance',
            isFigure: true,
            cell: ({ balance }) => <Figure value={balance} decimals={4} />,
          },
          {
            key: 'available',
            title: 'Available',
            isFigure: true,
            cell: ({ available }) => <Figure value={available} decimals={4} />,
          },
        ]}
      />
    </Card>
  );
}
