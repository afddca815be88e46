import type { RedisConnectionOptions } from '../../lists/store/redis/redis-connection.js';

export class ConnectionErrors {
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
