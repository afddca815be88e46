import { SourceFailure } from '../source/failure.js';
import type { Transport } from '../source/fetch.js';

/** A request that was not sent, for the probe has sent as many as it may. */
export class Spent extends SourceFailure {
  constructor() {
    super('internal', 'the budget is spent');
    this.name = 'Spent';
  }
}

/** The requests that a probe may send: the hard bound, redirects included. */
export class Purse {
  private sent = 0;

  constructor(readonly budget: number) {}

  /** Requests that were sent. */
  get spent(): number {
    return this.sent;
  }

  /** The wire, as long as there is budget. */
  over(transport: Transport): Transport {
    return (request, signal) => {
      if (this.sent >= this.budget) return Promise.reject(new Spent());
      this.sent += 1;
      return transport(request, signal);
    };
  }
}
