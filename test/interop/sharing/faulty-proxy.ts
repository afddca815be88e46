import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * What a proxy does with connections: forward bytes; swallow them, so that a connection is half open; reset connections; or
 * forward each reply some milliseconds later.
 */
export type ProxyMode = 'forward' | 'swallow' | 'reset' | { readonly delay: number };

/** A TCP proxy on loopback between a client and a server, which a test makes fail. */
export class FaultyProxy {
  private current: ProxyMode = 'forward';
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((client) => {
    this.accept(client);
  });

  private constructor(private readonly target: number) {}

  /** Opens a proxy to a port on loopback. */
  static async open(target: number): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(target);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get port(): number {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('the proxy has no TCP port');
    return address.port;
  }

  /** Changes what happens with bytes from now on. `reset` also ends present connections, and leaving `swallow` does. */
  set mode(mode: ProxyMode) {
    // Bytes that were swallowed are missing in their connections.
    if (mode === 'reset' || this.current === 'swallow') this.reset();
    this.current = mode;
  }

  async close(): Promise<void> {
    this.server.close();
    this.reset();
    await once(this.server, 'close');
  }

  private accept(client: Socket): void {
    this.keep(client);
    if (this.current === 'reset') {
      client.resetAndDestroy();
      return;
    }
    const server = this.keep(connect(this.target, '127.0.0.1'));
    client.on('data', (bytes) => {
      if (this.current !== 'swallow') server.write(bytes);
    });
    let last = Promise.resolve();
    server.on('data', (bytes) => {
      const { current } = this;
      if (current === 'swallow' || current === 'reset') return;
      const isDue = typeof current === 'object' ? pause(current.delay) : undefined;
      // Bytes keep their order when the delay changes.
      last = last
        .then(() => isDue)
        .then(() => {
          if (!client.destroyed) client.write(bytes);
        });
    });
    client.on('close', () => server.destroy());
    server.on('close', () => {
      if (this.current !== 'swallow') client.destroy();
    });
  }

  private keep(socket: Socket): Socket {
    this.sockets.add(socket);
    // Its end is what a test wants.
    socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
    return socket;
  }

  private reset(): void {
    for (const socket of this.sockets) socket.resetAndDestroy();
  }
}
