/** Faults that the proof of the terminal view must find, each built into the bot's process. */
import { writeSync } from 'node:fs';
import { OrderNotices } from '../../../src/engine/order-notice.ts';
import { TerminalDevice } from '../../../src/runtime/terminal-device.ts';
import { Output } from '../../../src/terminal/output.ts';
import { Screen } from '../../../src/terminal/view/screen.ts';
import { replaceMethod } from '../../support/replace-method.ts';

type Plant = { readonly meaning: string; readonly install: () => void };

const standardOutput = 1;

export const terminalPlants: Readonly<Record<string, Plant>> = {
  'not-restored': {
    meaning: 'the terminal is not given back at the end',
    install: () => {
      replaceMethod(TerminalDevice.prototype, 'leave', () => () => {});
    },
  },
  'not-restored-at-crash': {
    meaning: 'the terminal is not given back when a strategy ends the process',
    install: () => {
      replaceMethod(TerminalDevice.prototype, 'end', () => () => {});
      replaceMethod(Output.prototype, 'endView', () => () => {});
    },
  },
  'first-frame-only': {
    meaning: 'the screen keeps what was drawn first',
    install: () => {
      let frames = 0;
      replaceMethod(Screen.prototype, 'show', (real) => {
        return function (this: Screen, lines, how) {
          return frames++ === 0 ? real.call(this, lines, how) : '';
        };
      });
    },
  },
  'position-with-wrong-sign': {
    meaning: 'a short position is shown as a long one, and a long one as a short one',
    install: () => {
      replaceMethod(Screen.prototype, 'show', (real) => {
        return function (this: Screen, lines, how) {
          const changed = lines.map((line) =>
            line.map(({ text, style }) => {
              const turned = text.replaceAll(/(-?)([\d.]+ XBT)/gu, (_, sign, rest) => {
                return sign === '-' ? ` ${rest}` : `-${rest}`;
              });
              return { style, text: turned };
            }),
          );
          return real.call(this, changed, how);
        };
      });
    },
  },
  'half-a-queue': {
    meaning: 'own orders on the ask side are left out',
    install: () => {
      replaceMethod(Screen.prototype, 'show', (real) => {
        return function (this: Screen, lines, how) {
          return real.call(
            this,
            lines.map((line) => (line[0]?.text.trim() === 'ASK' ? [] : line)),
            how,
          );
        };
      });
    },
  },
  'always-coloured': {
    meaning: 'NO_COLOR is ignored',
    install: () => {
      replaceMethod(
        Output.prototype,
        'coloured',
        () => (_style, text) => `\u001b[31m${text}\u001b[0m`,
      );
    },
  },
  'ids-printed': {
    meaning: 'lines show the ids of orders',
    install: () => {
      replaceMethod(OrderNotices.prototype, 'changed', (real) => {
        return function (this: OrderNotices, order, proof) {
          const said = real.call(this, order, proof);
          return said && { ...said, text: `${said.text} ${order.clientOrderId}` };
        };
      });
    },
  },
  'waits-for-terminal': {
    meaning: 'the bot waits until the terminal takes what it writes',
    install: () => {
      replaceMethod(TerminalDevice.prototype, 'isReady', () => () => true);
      replaceMethod(TerminalDevice.prototype, 'write', () => (text) => {
        writeSync(standardOutput, text);
      });
    },
  },
};
