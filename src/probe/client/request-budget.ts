import { SourceFailure } from '../../source/client/source-failure.js';
import type { Transport } from '../../source/client/http-client-types.js';

/** A request that was not sent because the budget of the probe is exhausted. */
export class BudgetExhausted extends SourceFailure {
  constructor() {
    super('internal', 'the request budget is exhausted');
    this.name = 'BudgetExhausted';
  }
}

/** The maximum number of requests that a probe may send, redirects included. */
export class RequestBudget {
  private count = 0;

  constructor(readonly limit: number) {}

  /** Number of requests sent. */
  get used(): number {
    return this.count;
  }

  /** Wraps a transport so that requests beyond the budget are rejected with `BudgetExhausted`. */
  limitTransport(transport: Transport): Transport {
    return (request, signal) => {
      if (this.count >= this.limit) return Promise.reject(new BudgetExhausted());
      this.count += 1;
      return transport(request, signal);
    };
  }
}
