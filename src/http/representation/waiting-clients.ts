import type { IncomingMessage } from 'node:http';

/** The result is not needed, and no response can be sent. */
export class ClientDisconnectedError extends Error {}

/** The same items, as long as at least one client is connected. */
export type UntilDisconnected = <T>(items: Iterable<T>) => Iterable<T>;

/** Wait for the result of the same work, which continues while at least one of them is connected. */
export class WaitingClients {
  private readonly clients = new Set<IncomingMessage>();

  add(client: IncomingMessage): void {
    this.clients.add(client);
  }

  /** Throws `ClientDisconnectedError` when no client is connected, so that a part is never taken for the whole. */
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
