/**
 * What counts as free is never more than the exchange would let a new order spend, whatever the
 * order in which its answers arrive, as long as it ends no order by itself. The account is shared:
 * another program has funds reserved, so that the balance alone does not bound what is free.
 */
import { describe, expect, it } from 'vitest';
import { CurrencyUnits } from '../../../src/risk/currency-unit.ts';
import { Funds, type HoldClaim, type Receipt } from '../../../src/risk/funds.ts';
import { SeededRandom } from '../../support/seeded-random.ts';

const sequences = 4_000;
const steps = 60;
const total = 100n;
const reservedByOthers = 40n;
// Few sizes, so that a balance after a cancel and an order often equals the one before them.
const sizes = [2, 2, 3];

type Order = {
  readonly claim: HoldClaim;
  readonly size: number;
  /** What the exchange knows of it. */
  place: 'on its way' | 'open' | 'over';
  isConfirmed: boolean;
  isCancelling: boolean;
};
type Asked = { readonly mark: number; balance?: { balance: bigint; available: bigint } };

/** An account at an exchange, and what the bot has learnt of it. */
class SharedAccount {
  readonly funds = new Funds(new CurrencyUnits([]));
  readonly orders: Order[] = [];
  readonly asked: Asked[] = [];
  readonly #random: SeededRandom;

  constructor(seed: number) {
    this.#random = new SeededRandom(seed);
    this.funds.setBalance('XBT', { askedMs: 0, ...this.snapshot(), mark: this.funds.mark() });
  }

  /** What the exchange has available, less the orders that are still on their way to it. */
  get spendable(): bigint {
    const { available } = this.snapshot();
    const coming = this.orders.filter(({ place }) => place === 'on its way');
    return coming.reduce((left, { size }) => left - BigInt(size), available);
  }

  snapshot(): { readonly balance: bigint; readonly available: bigint } {
    const open = this.orders.filter(({ place }) => place === 'open');
    const reserved = open.reduce((sum, { size }) => sum + BigInt(size), reservedByOthers);
    return { balance: total, available: total - reserved };
  }

  step(): void {
    const random = this.#random;
    const dice = random.integer(1, 8);
    if (dice === 1) this.#place(random.pick(sizes));
    else if (dice === 2)
      this.#with(this.orders.filter(isComing), (order) => (order.place = 'open'));
    else if (dice === 3) this.#with(this.orders.filter(isUnconfirmed), this.#confirm);
    else if (dice === 4) this.#with(this.orders.filter(isLive), this.#cancel);
    else if (dice === 5)
      this.#with(this.orders.filter(isEnding), (order) => (order.place = 'over'));
    else if (dice === 6) this.#with(this.orders.filter(isEnded), this.#noteEnd);
    else if (dice === 7) this.#askOrAnswer();
    else this.#tell();
  }

  #with(orders: readonly Order[], act: (order: Order) => void): void {
    if (orders.length > 0) act(this.#random.pick(orders));
  }

  #place(size: number): void {
    if (this.orders.length >= 4) return;
    const claim = this.funds.claim('XBT', size);
    this.orders.push({
      ...{ claim, size, place: 'on its way' },
      ...{ isConfirmed: false, isCancelling: false },
    });
  }

  readonly #confirm = (order: Order): void => {
    order.isConfirmed = true;
    this.funds.confirm(order.claim);
  };

  readonly #cancel = (order: Order): void => {
    order.isCancelling = true;
    this.funds.withdraw(order.claim);
  };

  readonly #noteEnd = (order: Order): void => {
    this.orders.splice(this.orders.indexOf(order), 1);
    this.funds.drop(order.claim);
  };

  /** The exchange makes a balance at any time between its request and its answer. */
  #askOrAnswer(): void {
    const waiting = this.asked.find(({ balance }) => balance === undefined);
    if (waiting !== undefined) waiting.balance = this.snapshot();
    else if (this.asked.length < 2) this.asked.push({ mark: this.funds.mark() });
  }

  #tell(): void {
    const index = this.asked.findIndex(({ balance }) => balance !== undefined);
    const [{ mark, balance } = { mark: 0 }] = index === -1 ? [] : this.asked.splice(index, 1);
    if (balance !== undefined) this.funds.setBalance('XBT', { askedMs: 0, ...balance, mark });
  }
}

const isComing = ({ place }: Order): boolean => place === 'on its way';
const isUnconfirmed = ({ place, isConfirmed }: Order): boolean =>
  place !== 'on its way' && !isConfirmed;
const isLive = ({ isConfirmed, isCancelling }: Order): boolean => isConfirmed && !isCancelling;
const isEnding = ({ place, isCancelling }: Order): boolean => place === 'open' && isCancelling;
const isEnded = ({ place, isConfirmed }: Order): boolean => place === 'over' && isConfirmed;

describe('funds of a shared account', () => {
  it(`never count more as free than the exchange has, in ${sequences} histories`, () => {
    let exact = 0;
    for (let seed = 1; seed <= sequences; seed++) {
      const account = new SharedAccount(seed);
      for (let step = 0; step < steps; step++) {
        account.step();
        const free = BigInt(account.funds.free('XBT') ?? 0n);
        const { spendable } = account;
        if (free > spendable) expect.fail(`seed ${seed}, step ${step}: ${free} of ${spendable}`);
        if (free === spendable) exact++;
      }
    }
    // The check would mean little if the bot counted nothing as free.
    expect(exact / (sequences * steps)).toBeGreaterThan(0.3);
  });
});

/** What happens to funds, with orders that fill in parts. */
type Happening = (funds: Funds, claims: HoldClaim[], receipts: Receipt[]) => void;

function happeningOf(random: SeededRandom, number: number): Happening {
  const dice = random.integer(1, 10);
  const place = random.integer(0, 3);
  const size = random.integer(1, 9);
  const with_ = (act: (funds: Funds, claim: HoldClaim) => void): Happening => {
    return (funds, claims) => {
      const claim = claims[place];
      if (claim !== undefined) act(funds, claim);
    };
  };
  switch (dice) {
    case 1:
      return (funds, claims) => {
        if (claims.length < 4) claims.push(funds.claim('XBT', size));
      };
    case 2:
      return with_((funds, claim) => funds.confirm(claim));
    case 3:
      return with_((funds, claim) => funds.withdraw(claim));
    case 4:
      return (funds, claims) => {
        for (const claim of claims.splice(place, 1)) funds.drop(claim);
      };
    case 5:
      return with_((funds, claim) => {
        funds.spend(`XBTZAR|${number}|1`, 'XBT', -size, claim);
        funds.lower(claim, Math.max(0, Number(claim.value) - size));
      });
    case 6:
      return (funds) => funds.spend(`XBTZAR|${number}|2`, 'XBT', -size, undefined);
    case 7:
      return (funds) => funds.settle(`XBTZAR|${number - random.integer(1, 5)}|2`);
    case 8:
      return (funds, _, receipts) => {
        receipts.push(funds.receive('XBT', size));
      };
    case 9:
      return (funds, _, receipts) => {
        for (const receipt of receipts.splice(place, 1)) funds.include(receipt);
      };
    default:
      return (funds) => {
        const mark = number % 3 === 0 ? funds.mark() : 1;
        funds.setBalance('XBT', {
          askedMs: 0,
          balance: 1_000n,
          available: BigInt(900 - size),
          mark,
        });
      };
  }
}

it('are the same whether they are read after each change or only at the end', () => {
  for (let seed = 1; seed <= 500; seed++) {
    const random = new SeededRandom(seed);
    const [often, once] = [new Funds(new CurrencyUnits([])), new Funds(new CurrencyUnits([]))];
    const [ofOften, ofOnce]: [HoldClaim[], HoldClaim[]] = [[], []];
    const [oftenBrought, onceBrought]: [Receipt[], Receipt[]] = [[], []];
    for (let step = 1; step <= 60; step++) {
      const seedOfStep = random.integer(1, 1_000_000);
      happeningOf(new SeededRandom(seedOfStep), step)(often, ofOften, oftenBrought);
      happeningOf(new SeededRandom(seedOfStep), step)(once, ofOnce, onceBrought);
      often.free('XBT');
    }
    expect(often.free('XBT'), `seed ${seed}`).toBe(once.free('XBT'));
  }
});
