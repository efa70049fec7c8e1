/** The panels of one bot. Without a running bot they show what its database knows. */
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { BotEntry, StoredStatus } from '../../dashboard/api/bot-answers.ts';
import { browserNowMs } from '../browser/browser-time.ts';
import { SideText } from '../components/badge.tsx';
import { Card, Fact, Facts } from '../components/card.tsx';
import { Figure } from '../components/figure.tsx';
import { Table } from '../components/table.tsx';
import { type Tab, Tabs } from '../components/tabs.tsx';
import { dateTimeText, durationText } from '../format/times.ts';
import type { CommandDraft } from './command-dialog.tsx';
import { FeedsPanel } from './feeds-panel.tsx';
import type { LiveState } from './live-state.ts';
import { MarketPanel } from './market-panel.tsx';
import { BalancesPanel, InventoryPanel, ProfitPanel } from './money-panels.tsx';
import { OrdersPanel } from './orders-panel.tsx';
import { ParametersPanel } from './parameter-panel.tsx';
import { SeriesPanel } from './plot-charts.tsx';
import { PriceCharts } from './price-charts.tsx';
import {
  CommandsPanel,
  DaysPanel,
  FillsPanel,
  IncidentsPanel,
  LogPanel,
  NotesPanel,
  NoticesPanel,
} from './record-panels.tsx';
import { StatePanel } from './state-panel.tsx';
import { CallsPanel, LimitsPanel, PresencePanel, RefusalsPanel } from './traffic-panels.tsx';

type BodyProps = {
  readonly bot: BotEntry;
  readonly state: LiveState;
  readonly onOrder: (intentId: number) => void;
  readonly onCommand: ((draft: CommandDraft) => void) | undefined;
};

export function LiveBody({ bot, state, onOrder, onCommand }: BodyProps): JSX.Element {
  const status = state.status.value;
  const stored = state.stored.value;
  const chosen = useSignal('');
  const pairs = status?.markets.map(({ pair }) => pair) ?? [...new Set(pairsOf(stored))];
  const pair = pairs.find((one) => one === chosen.value) ?? pairs[0];
  const market = status?.markets.find((one) => one.pair === pair);
  const fills = status?.fills ?? stored?.fills ?? [];
  const endMs = status?.atMs ?? bot.endedMs ?? fills[0]?.tradedMs ?? browserNowMs();
  const tabs: readonly Tab[] = [
    { key: 'orders', title: 'Orders', panel: () => <OrdersPanel bot={bot.id} onOrder={onOrder} /> },
    { key: 'fills', title: 'Fills', panel: () => <FillsPanel fills={fills} onOrder={onOrder} /> },
    {
      key: 'notices',
      title: 'Notices',
      panel: () => <NoticesPanel notices={status?.notices ?? []} />,
    },
    {
      key: 'notes',
      title: 'Strategies',
      panel: () => <NotesPanel strategies={status?.strategies ?? []} />,
    },
    { key: 'incidents', title: 'Incidents', panel: () => <IncidentsPanel bot={bot.id} /> },
    { key: 'commands', title: 'Commands', panel: () => <CommandsPanel bot={bot.id} /> },
    ...(pair === undefined
      ? []
      : [{ key: 'days', title: 'Days', panel: () => <DaysPanel bot={bot.id} pair={pair} /> }]),
    { key: 'log', title: 'Log', panel: () => <LogPanel bot={bot.id} /> },
  ];
  return (
    <>
      <StatePanel
        status={status}
        stored={stored}
        connection={state.connection.value}
        happened={state.happened.value}
        onCommand={onCommand}
      />
      {pairs.length > 1 && (
        <div class="pairs" role="toolbar" aria-label="Pair">
          {pairs.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === pair}
              onClick={() => {
                chosen.value = one;
              }}
            >
              {one}
            </button>
          ))}
        </div>
      )}
      <div class={`live-grid ${status === undefined ? 'is-stored' : ''}`}>
        <div class="stack live-left">
          {market !== undefined && <MarketPanel market={market} onOrder={onOrder} />}
          {status === undefined && stored !== undefined && <StoredPanel stored={stored} />}
          <BalancesPanel balances={status?.balances ?? stored?.balances ?? []} />
        </div>
        <div class="stack live-middle">
          {pair !== undefined && (
            <PriceCharts
              key={pair}
              bot={bot.id}
              pair={pair}
              status={status}
              endMs={endMs}
              onOrder={onOrder}
            />
          )}
          {status !== undefined && <RefusalsPanel status={status} />}
        </div>
        {status !== undefined && (
          <div class="stack live-right">
            <ProfitPanel status={status} />
            <InventoryPanel status={status} />
            <SeriesPanel status={status} />
            <FeedsPanel status={status} />
            <LimitsPanel status={status} />
            <PresencePanel status={status} />
            <CallsPanel status={status} />
            <ParametersPanel status={status} onCommand={onCommand} />
          </div>
        )}
      </div>
      <Tabs name="Records" tabs={tabs} />
      <footer class="soft">
        {status !== undefined && (
          <>
            Run {status.run} of {status.bot}, process {status.pid}, since{' '}
            {dateTimeText(status.startedMs)} UTC ({durationText(status.atMs - status.startedMs)}).
            {status.ordersGoTo === 'replay'
              ? 'No order leaves this process.'
              : `Orders go to the ${status.ordersGoTo}.`}{' '}
            Settings <code>{status.configHash.slice(0, 12)}</code>.
          </>
        )}
      </footer>
    </>
  );
}

function pairsOf(stored: StoredStatus | undefined): readonly string[] {
  if (stored === undefined) return [];
  return [...stored.positions, ...stored.openOrders, ...stored.fills].map(({ pair }) => pair);
}

/** What the database of a bot that does not run knows. */
function StoredPanel({ stored }: { readonly stored: StoredStatus }): JSX.Element {
  const { lastRun, orders, positions, openOrders } = stored;
  return (
    <Card title="Last state of the store" name="stored">
      {lastRun !== null && (
        <p>
          Run {lastRun.run} from {dateTimeText(lastRun.startedMs)} UTC{' '}
          {lastRun.isClosed ? 'ended in order.' : 'did not end in order.'}
        </p>
      )}
      <Facts>
        {Object.entries(orders).map(([name, count]) => (
          <Fact key={name} name={`Orders ${name}`}>
            <Figure value={count} decimals={0} />
          </Fact>
        ))}
      </Facts>
      <Table
        caption="Positions"
        rows={positions}
        rowKey={({ strategyId, pair }) => `${strategyId} ${pair}`}
        empty="No positions."
        columns={[
          { key: 'strategy', title: 'Strategy', cell: ({ strategyId }) => strategyId },
          { key: 'pair', title: 'Pair', cell: ({ pair }) => pair },
          {
            key: 'base',
            title: 'Position',
            isFigure: true,
            cell: ({ base }) => <Figure value={base} decimals={6} />,
          },
        ]}
      />
      <Table
        caption="Open orders"
        rows={openOrders}
        rowKey={({ intentId }) => intentId}
        empty="No order was open."
        columns={[
          { key: 'order', title: 'Open order', cell: ({ intentId }) => intentId },
          { key: 'side', title: 'Side', cell: ({ side }) => <SideText side={side} /> },
          {
            key: 'price',
            title: 'Price',
            isFigure: true,
            cell: ({ price }) => <Figure value={price} decimals={8} />,
          },
          { key: 'state', title: 'State', cell: ({ state }) => state },
        ]}
      />
    </Card>
  );
}
