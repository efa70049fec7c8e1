/** The debug page: one event of a run, what led to it and what followed. */
import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { AppFrame } from '../components/app-frame.tsx';
import { Badge } from '../components/badge.tsx';
import { Loading, Problem } from '../components/states.tsx';
import { DebugControls } from './debug-controls.tsx';
import { watchKeys } from './debug-keys.ts';
import { createDebugState, type DebugState } from './debug-state.ts';
import { EventList } from './event-list.tsx';
import { EventPanels } from './event-panels.tsx';
import { MarketPanels } from './market-panels.tsx';
import { RunTimeline } from './run-timeline.tsx';

/** The JSON block of the document. */
type DebugContent = { readonly first: number; readonly hasDebugger: boolean };

export function DebugPage({ content }: { readonly content: DebugContent }): JSX.Element {
  const { first, hasDebugger } = content;
  const state = useMemo(() => createDebugState(first), [first]);
  useEffect(() => {
    state.start();
    return watchKeys(state);
  }, [state]);
  const run = state.run.value;
  return (
    <AppFrame
      title="Millrace debug"
      head={
        run !== undefined && (
          <>
            <Badge text={run.source} tone="accent" />
            <span class="soft">{run.name}</span>
          </>
        )
      }
    >
      {run?.notes.map((note) => (
        <Problem key={note} text={note} />
      ))}
      {state.problem.value !== undefined && <Problem text={state.problem.value} />}
      {run === undefined ? <Loading what="the run" /> : <Body {...{ state, hasDebugger }} />}
    </AppFrame>
  );
}

type BodyProps = { readonly state: DebugState; readonly hasDebugger: boolean };

function Body({ state, hasDebugger }: BodyProps): JSX.Element {
  const event = state.event.value;
  return (
    <>
      <RunTimeline state={state} />
      <DebugControls state={state} hasDebugger={hasDebugger} />
      <div class="debug-grid" aria-busy={state.isBusy.value}>
        <EventList state={state} />
        {event !== undefined && <EventPanels facts={event} />}
        {event !== undefined && (
          <MarketPanels facts={event} onOrder={(id) => state.jump(String(id))} />
        )}
      </div>
    </>
  );
}
