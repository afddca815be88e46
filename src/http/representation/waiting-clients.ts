import type { IncomingMessage } from 'node:http';

/** All clients have disconnected: the result is not needed, and no response can be sent. */
export class ClientDisconnectedError extends Error {}

/** Yields the same items, as long as at least one client is connected. */
export type UntilDisconnected = <T>(items: Iterable<T>) => Iterable<T>;

/** The clients that wait for the result of the same work. It continues while at least one of them is connected. */
export class WaitingClients {
  private readonly clients = new Set<IncomingMessage>();

  /** Adds a client that waits for the same result. */
  add(client: IncomingMessage): void {
    this.clients.add(client);
  }

  /**
   * Yields the items as long as a client is connected. Throws `ClientDisconnectedError` when none is, so that a part is
   * never taken for the whole.
   */
  readonly untilDisconnected: UntilDisconnected = (items) => this.iterate(items);

  private *iterate<T>(items: Iterable<T>): Generator<T, void, undefined> {
    for (const item of items) {
      if (this.areAllDisconnected) throw new ClientDisconnectedError();
      yield item;
    }
  }

  private get areAllDisconnected(): boolean {
    for (const { socket } of this.clients) if (!socket.destroyed) return false;
    return true;
  }
}
