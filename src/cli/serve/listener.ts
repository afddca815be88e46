import type { Server } from 'node:http';
import type { ListenAddress } from '../../config/config.js';
import { describeListenError } from '../../program/used-port.js';
import { listen, trackConnections } from '../../runtime/http-listener.js';
import type { ListenerConnections } from '../../runtime/http-listener.js';

export interface Listener {
  readonly server: Server;
  readonly connections: ListenerConnections;
  readonly url: string;
}

/** Rejects, naming the setting, where the address cannot be opened. */
export async function openListener(
  server: Server,
  { host, port }: ListenAddress,
  section: 'server' | 'admin',
): Promise<Listener> {
  const connections = trackConnections(server);
  const url = await listen(server, { host, port }).catch(async (error: unknown) => {
    throw await describeListenError(error, { host, port, setting: `${section}.port` });
  });
  return { server, url, connections };
}

/** Where this machine reaches a listener. One on all addresses is reached at `localhost`, too. */
export function formatLocalOrigin({ url }: Pick<Listener, 'url'>): string {
  return url.replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=:)/, '//localhost');
}
