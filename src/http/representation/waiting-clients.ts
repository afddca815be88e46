import type { IncomingMessage } from 'node:http';

/** The client has gone: nobody needs what is being made for it, and there is nobody to tell. */
export class ClientDisconnectedError extends Error {}

/** Gives the same items, as long as anybody is there for whom they are. */
export type UntilDisconnected = <T>(items: Iterable<T>) => Iterable<T>;

/** The clients for whom one piece of work is done: the first may leave without harm to the others. */
export class WaitingClients {
  private readonly clients = new Set<IncomingMessage>();

  /** Another client waits for the same. */
  add(client: IncomingMessage): void {
    this.clients.add(client);
  }

  /** The items, as long as one client is there. Throws `ClientDisconnectedError` when none is, so that no part is ever taken for the whole. */
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
