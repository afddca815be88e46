import { SourceFailure } from '../../source/client/source-failure.js';
import type { Transport } from '../../source/client/fetch.js';

/** A request that was not sent, for the probe has sent as many as it may. */
export class BudgetExhausted extends SourceFailure {
  constructor() {
    super('internal', 'the budget is spent');
    this.name = 'BudgetExhausted';
  }
}

/** The requests that a probe may send: the hard bound, redirects included. */
export class RequestBudget {
  private count = 0;

  constructor(readonly limit: number) {}

  /** Requests that were sent. */
  get used(): number {
    return this.count;
  }

  /** The wire, as long as there is budget. */
  limitTransport(transport: Transport): Transport {
    return (request, signal) => {
      if (this.count >= this.limit) return Promise.reject(new BudgetExhausted());
      this.count += 1;
      return transport(request, signal);
    };
  }
}
