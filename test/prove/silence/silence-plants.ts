/** Faults that the proof of silence must find: in the bot's process, or in what is asked of it. */
import type { Notice } from '../../../src/domain/notice.ts';
import { EngineContext } from '../../../src/engine/engine-context.ts';
import { AccountActivity } from '../../../src/risk/strategy-activity.ts';
import { replaceMethod } from '../../support/replace-method.ts';

/** Where a person looks. */
export type Face = 'terminal' | 'status' | 'why' | 'config check' | 'backtest';

type Plant = {
  readonly meaning: string;
  /** Builds it into this process. */
  readonly install?: () => void;
  /** The name of the state that shows it. */
  readonly state?: string;
  /** Where the line is lost. */
  readonly blind?: Face;
};

const isOfBlock = ({ text }: Notice): boolean => / do(?:es)? not trade: /u.test(text);

function changeNotices(change: (notice: Notice) => readonly Notice[]): () => void {
  return () => {
    replaceMethod(EngineContext.prototype, 'notice', (real) => {
      return function (this: EngineContext, notice) {
        for (const one of isOfBlock(notice) ? change(notice) : [notice]) real.call(this, one);
      };
    });
  };
}

export const silencePlants: Readonly<Record<string, Plant>> = {
  'state-unsaid': {
    meaning: 'no line says that a strategy does not trade',
    install: changeNotices(() => []),
  },
  'state-said-twice': {
    meaning: 'each line that says so comes twice',
    install: changeNotices((notice) => [notice, notice]),
  },
  'state-unstored': {
    meaning: 'why a strategy does not trade is not stored',
    install: () => {
      replaceMethod(EngineContext.prototype, 'keepRiskState', (real) => {
        return function (this: EngineContext, name, state) {
          if (!name.startsWith('trading block ')) real.call(this, name, state);
        };
      });
    },
  },
  'command-cut': {
    meaning: 'a line suggests a command that cannot be pasted',
    install: changeNotices(({ remedy: _, ...notice }) => [
      { ...notice, text: `${notice.text}: npm run --silent millrace -- resume` },
    ]),
  },
  'command-bare': {
    meaning: 'a line suggests a command without what starts it',
    install: changeNotices(({ remedy: _, ...notice }) => [
      { ...notice, text: `${notice.text}: millrace resume` },
    ]),
  },
  'post-only-uncounted': {
    meaning: 'post-only orders that would trade are never counted as rejected',
    state: 'halted by post-only orders that would trade',
    install: () => {
      replaceMethod(AccountActivity.prototype, 'notePostOnlyRejected', () => () => {});
    },
  },
  'status-forgets': { meaning: 'status leaves the state out', blind: 'status' },
  'why-forgets': { meaning: 'why leaves the state out', blind: 'why' },
  'warning-missing': { meaning: 'config check leaves a warning out', blind: 'config check' },
  'backtest-silent': { meaning: 'a backtest does not say why nothing fills', blind: 'backtest' },
};
