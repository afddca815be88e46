import type { IncomingMessage } from 'node:http';

/** The client has gone: nobody needs what is being made for it, and there is nobody to tell. */
export class ClientGone extends Error {}

/** Gives the same items, as long as anybody is there for whom they are. */
export type WhileThere = <T>(items: Iterable<T>) => Iterable<T>;

/** The clients for whom one piece of work is done: the first may leave without harm to the others. */
export class Audience {
  private readonly clients = new Set<IncomingMessage>();

  /** Another client waits for the same. */
  join(client: IncomingMessage): void {
    this.clients.add(client);
  }

  /** The items, as long as one client is there. Throws `ClientGone` when none is, so that no part is ever taken for the whole. */
  readonly whileThere: WhileThere = (items) => this.given(items);

  private *given<T>(items: Iterable<T>): Generator<T, void, undefined> {
    for (const item of items) {
      if (this.left) throw new ClientGone();
      yield item;
    }
  }

  private get left(): boolean {
    for (const { socket } of this.clients) if (!socket.destroyed) return false;
    return true;
  }
}
