import type { RedisConnectionOptions } from './redis-connection.js';

/** Errors of several connections to one server. Each is reported once as long as one of the connections has it. */
export class ConnectionErrors {
  /** The last error of each connection that is not ready. */
  private readonly last = new Map<object, string>();

  constructor(private readonly report: (message: string) => void) {}

  observe(): Pick<RedisConnectionOptions, 'onError' | 'onReady'> {
    const connection = {};
    return {
      onError: (message) => {
        const isKnown = [...this.last.values()].includes(message);
        this.last.set(connection, message);
        if (!isKnown) this.report(message);
      },
      onReady: () => {
        this.last.delete(connection);
      },
    };
  }
}
