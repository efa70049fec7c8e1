/** Limits and their use, presence in the book, calls to the exchange, latency. */
import type { JSX } from 'preact';
import type { BotStatus, LimitUse, StrategyState } from '../../domain/bot-status.ts';
import { Card, Fact, Facts } from '../components/card.tsx';
import { Figure } from '../components/figure.tsx';
import { Empty } from '../components/states.tsx';
import { Table } from '../components/table.tsx';
import { UseBar } from '../components/use-bar.tsx';
import { percentText } from '../format/figures.ts';
import { durationText } from '../format/times.ts';
import { tipOf } from '../format/tip.ts';

type StatusProps = { readonly status: BotStatus };

/** The part of a limit's key that its scope does not say. */
function limitName({ key, scope }: LimitUse): string {
  const places = ['limits', 'account', 'eachStrategy', 'pairs', 'strategies', scope];
  return key
    .split('.')
    .filter((part) => !places.includes(part))
    .join(' ');
}

export function LimitsPanel({ status }: StatusProps): JSX.Element {
  const used = status.limits.filter(({ share }) => share !== null);
  const perOrder = status.limits.filter(({ share }) => share === null);
  return (
    <Card
      title="Limits and their use"
      name="limits"
      help="The fullest first. Open orders count as filled."
    >
      <div class="limits">
        {used
          .toSorted((a, b) => (b.share ?? 0) - (a.share ?? 0))
          .map((limit) => (
            <UseBar
              key={`${limit.scope} ${limit.key}`}
              share={limit.share ?? 0}
              name={
                <span data-tip={limit.key} data-limit={limit.key} data-scope={limit.scope}>
                  {limitName(limit)} <small class="soft">{limit.scope}</small>
                </span>
              }
            >
              <Figure value={limit.used} decimals={4} /> /{' '}
              <Figure value={limit.max} decimals={4} unit={limit.unit} />
            </UseBar>
          ))}
      </div>
      {used.length === 0 && <Empty>No limit counts anything yet.</Empty>}
      {perOrder.length > 0 && (
        <details>
          <summary class="soft">Limits on each order: {perOrder.length}</summary>
          {perOrder.map((limit) => (
            <div key={`${limit.scope} ${limit.key}`} class="use-text" data-limit={limit.key}>
              <span data-tip={limit.key}>
                {limitName(limit)} <small class="soft">{limit.scope}</small>
              </span>
              <Figure value={limit.max} decimals={4} unit={limit.unit} />
            </div>
          ))}
        </details>
      )}
    </Card>
  );
}

export function PresencePanel({ status }: StatusProps): JSX.Element {
  const shareCell = (shareOf: (one: StrategyState) => number) => (one: StrategyState) => (
    <span data-exact={shareOf(one)}>{percentText(shareOf(one))}</span>
  );
  const column = (key: string, title: string, shareOf: (one: StrategyState) => number) => ({
    key,
    title,
    isFigure: true,
    cell: shareCell(shareOf),
    sortBy: shareOf,
  });
  return (
    <Card
      title="Presence"
      name="presence"
      help="Shares of the time of this run in which a strategy had an order in the book, and one at the best price."
    >
      <Table
        caption="Presence by strategy and side"
        rows={status.strategies}
        rowKey={({ strategyId, pair }) => `${strategyId} ${pair}`}
        empty="No strategies."
        columns={[
          {
            key: 'strategy',
            title: 'Strategy',
            cell: ({ strategyId, pair, presence }) => (
              <span
                class="name"
                {...tipOf(`${pair}, of ${durationText(presence.seconds * 1_000)}`)}
              >
                {strategyId}
              </span>
            ),
          },
          column('both', 'Both', ({ presence }) => presence.bothQuoted),
          column('bid', 'Bid', ({ presence }) => presence.bidQuoted),
          column('ask', 'Ask', ({ presence }) => presence.askQuoted),
          column('bidTouch', 'Best bid', ({ presence }) => presence.bidAtTouch),
          column('askTouch', 'Best ask', ({ presence }) => presence.askAtTouch),
        ]}
      />
    </Card>
  );
}

export function CallsPanel({ status }: StatusProps): JSX.Element {
  const { calls, latency, orders } = status;
  const used =
    calls.perMinute === null || calls.forOrders === null ? null : calls.perMinute - calls.forOrders;
  return (
    <Card
      title="Calls and latency"
      name="calls"
      help="The exchange allows a number of calls a minute. Latency is from an order's attempt to its answer, over the newest attempts of this run."
    >
      {used !== null && calls.perMinute !== null && (
        <UseBar name="Calls in use" share={used / calls.perMinute}>
          <Figure value={used} decimals={0} /> /{' '}
          <Figure value={calls.perMinute} decimals={0} unit="a minute" />
        </UseBar>
      )}
      <Facts>
        <Fact name="Calls left for orders">
          <Figure value={calls.forOrders} decimals={0} />
        </Fact>
        <Fact name="p50 (ms)">
          <Figure value={latency?.p50Ms} decimals={1} />
        </Fact>
        <Fact name="p95 (ms)">
          <Figure value={latency?.p95Ms} decimals={1} />
        </Fact>
        <Fact name="p99 (ms)">
          <Figure value={latency?.p99Ms} decimals={1} />
        </Fact>
        <Fact name="Open orders">
          <Figure value={orders.live} decimals={0} />
        </Fact>
        <Fact name="Accepted">
          <Figure value={orders.accepted} decimals={0} />
        </Fact>
        <Fact name="Rejected">
          <Figure value={orders.rejected} decimals={0} />
        </Fact>
        <Fact name="Unknown" tip="Orders whose outcome is not known yet. They are looked up.">
          <Figure value={orders.unknown} decimals={0} />
        </Fact>
      </Facts>
      {calls.waits.map((wait) => (
        <p key={wait.text} class="ink-warn">
          {wait.text}
        </p>
      ))}
    </Card>
  );
}

export function RefusalsPanel({ status }: StatusProps): JSX.Element {
  return (
    <Card
      title="Refusals of this run"
      name="refusals"
      help="Orders that our gate refused, or the exchange rejected, by check."
    >
      <Table
        caption="Refusals by check"
        rows={status.refusals}
        rowKey={({ strategyId, code, by }) => `${strategyId} ${code} ${by}`}
        empty="No order was refused."
        columns={[
          {
            key: 'count',
            title: 'Count',
            isFigure: true,
            cell: ({ count }) => <Figure value={count} decimals={0} />,
            sortBy: ({ count }) => count,
          },
          {
            key: 'code',
            title: 'Check',
            cell: ({ code }) => <code>{code}</code>,
            sortBy: ({ code }) => code,
          },
          { key: 'by', title: 'By', cell: ({ by }) => by, sortBy: ({ by }) => by },
          { key: 'strategy', title: 'Strategy', cell: ({ strategyId }) => strategyId },
          {
            key: 'last',
            title: 'Last',
            cell: ({ lastMs }) => `${durationText(status.atMs - lastMs)} ago`,
            sortBy: ({ lastMs }) => lastMs,
          },
          { key: 'text', isText: true, title: 'Newest', cell: ({ text }) => text },
        ]}
      />
    </Card>
  );
}
