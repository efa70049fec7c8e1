/** Whether our orders, fills and balances currently agree with the exchange's. */
export class Readiness {
  #isReconciled = false;

  get isReconciled(): boolean {
    return this.#isReconciled;
  }

  /** Stores the latest result; returns true if they agree now and did not before. */
  note(isReconciled: boolean): boolean {
    const agreesAgain = isReconciled && !this.#isReconciled;
    this.#isReconciled = isReconciled;
    return agreesAgain;
  }
}
