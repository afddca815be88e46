import { once } from 'node:events';
import { createServer } from 'node:net';

/** Why an address cannot be opened. Of a port in use, it names the `setting`, such as `server.port`, and a free port. */
export async function describeListenError(
  error: unknown,
  { host, port, setting }: { readonly host: string; readonly port: number; readonly setting: string },
): Promise<Error> {
  if (!(error instanceof Error)) return new Error(String(error));
  if (!('code' in error) || error.code !== 'EADDRINUSE')
    return new Error(`${setting}: ${error.message}`, { cause: error });
  const free = await findFreePort(host, port);
  const hint = free === undefined ? '' : `; ${free} is free`;
  return new Error(`port ${port} of ${host} is in use (${setting})${hint}`, { cause: error });
}

/** Ports tried above the one in use. */
const TRIED_PORTS = 100;

async function findFreePort(host: string, used: number): Promise<number | undefined> {
  for (let port = used + 1; port <= Math.min(used + TRIED_PORTS, 65_535); port += 1) {
    const server = createServer();
    try {
      server.listen(port, host);
      await once(server, 'listening');
      return port;
    } catch {
      // In use, too.
    } finally {
      server.close();
    }
  }
  return undefined;
}
