import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum number of open connections of the servers that share their port. */
const sharedLimits = new WeakMap<Server, number>();

/**
 * Makes this module limit the connections of a server that shares its port with other workers. With `maxConnections`, such a
 * worker does not close a further connection: it returns the connection to the primary process, which offers it to the
 * workers again and again (Node.js 20.20, 24.21).
 */
export function limitSharedConnections(server: Server): void {
  const open = new Set<Socket>();
  sharedLimits.set(server, Infinity);
  server.prependListener('connection', (socket: Socket) => {
    if (open.size >= (sharedLimits.get(server) ?? Infinity)) {
      socket.destroy();
      server.emit('drop');
      return;
    }
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
}

/** Sets the maximum number of open connections (operation 2.3.1). Further ones are closed at once, with the event `drop`. */
export function setConnectionCount(server: Server, connections: number): void {
  if (sharedLimits.has(server)) sharedLimits.set(server, connections);
  else server.maxConnections = connections;
}
