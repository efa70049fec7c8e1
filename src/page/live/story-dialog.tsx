/** The story of one order: why it was asked for, what was sent, what proves each state, fills. */
import type { JSX } from 'preact';
import { Badge, SideText } from '../components/badge.tsx';
import { Fact, Facts } from '../components/card.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Figure } from '../components/figure.tsx';
import { Loading, Problem } from '../components/states.tsx';
import { Timeline } from '../components/timeline.tsx';
import { readStory } from './live-api.ts';
import { useRead } from './use-read.ts';

type StoryProps = {
  readonly bot: string;
  readonly intentId: number;
  readonly onClose: () => void;
};

export function StoryDialog({ bot, intentId, onClose }: StoryProps): JSX.Element {
  const reading = useRead(`${bot} ${intentId}`, undefined, () => readStory(bot, intentId));
  const { answer, problem } = reading.state.value;
  return (
    <Dialog title={`Order ${intentId}`} onClose={onClose} isWide>
      {problem !== undefined && <Problem text={problem} onRetry={reading.reload} />}
      {answer === undefined && problem === undefined && <Loading what="its story" />}
      {answer !== undefined && (
        <div class="stack" data-story={intentId}>
          <p>
            <SideText side={answer.order.side} /> {answer.order.pair} by{' '}
            <b>{answer.order.strategyId}</b> <Badge text={answer.order.state} />{' '}
            <span class="soft">{answer.order.reason}</span>
          </p>
          <Facts>
            <Fact name="Price">
              <Figure value={answer.order.price} decimals={8} />
            </Fact>
            <Fact name="Volume">
              <Figure value={answer.order.volume} decimals={8} />
            </Fact>
            <Fact name="Filled">
              <Figure value={answer.order.filled} decimals={8} />
            </Fact>
            <Fact name="Counter">
              <Figure value={answer.sums.counter} decimals={4} />
            </Fact>
            <Fact name="Fee (base)">
              <Figure value={answer.sums.feeBase} decimals={8} />
            </Fact>
            <Fact name="Fee (counter)">
              <Figure value={answer.sums.feeCounter} decimals={4} />
            </Fact>
          </Facts>
          <p class="soft">
            {answer.order.isPostOnly && 'post-only, '}
            {answer.order.timeInForce}, our id <code>{answer.order.clientOrderId}</code>, id at the
            exchange <code>{answer.order.orderId ?? 'none'}</code>
          </p>
          <Timeline events={answer.timeline} />
        </div>
      )}
    </Dialog>
  );
}
