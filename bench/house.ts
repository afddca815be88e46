import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { createApp } from '../src/app.js';
import type { App, Surroundings } from '../src/app.js';
import type { Config } from '../src/config/config.js';
import { parseConfig } from '../src/config/parse.js';
import { systemClock } from '../src/model/clock.js';
import type { Log } from '../src/model/log.js';
import type { Resource } from '../src/model/resource.js';
import { listen } from '../src/operate/listener.js';
import { BodyParser } from '../src/source/body-parser.js';
import { undiciWire } from '../src/source/transport.js';

/** A whole gateway with a wire and a listener of its own. */
export interface House {
  readonly app: App;
  /** The address at which it serves a resource. */
  address(resource: Resource): string;
  close(): Promise<void>;
}

/** Reads a configuration that is written here. Throws where it has faults. */
export function configured(lines: readonly string[]): Config {
  const parsed = parseConfig(lines.join('\n'), {});
  if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults));
  return parsed.config;
}

/** The thread is the program's own: started from here it would be made of TypeScript first, each time. */
const MODULE = new URL('../dist/source/body-parser-thread.js', import.meta.url);

/** Parses large bodies as the program does. Throws where that is not built. */
export function bodyParser(): BodyParser {
  if (!existsSync(MODULE)) throw new Error('there is no dist/: run `npm run build` first');
  return new BodyParser({ module: MODULE, maxBody: 16 * 2 ** 20 });
}

/** Opens a house: nothing is held in it, and every connection is still to be opened. `filled` as in `Surroundings`. */
export async function openHouse(config: Config, log: Log, filled?: Surroundings['filled']): Promise<House> {
  const wire = undiciWire();
  const bodies = bodyParser();
  const surroundings = { transport: wire.transport, bodies, clock: systemClock, log };
  const app = createApp(config, { ...surroundings, ...(filled && { filled }) });
  const server = createServer(app.listener);
  const origin = await listen(server, { host: '127.0.0.1', port: 0 });
  const { directoryPath, dataPath } = config.server;
  return {
    app,
    address: ({ face, path }) => `${origin}${face === 'data' ? dataPath : directoryPath}/${path}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      app.stop();
      bodies.close();
      await wire.close();
    },
  };
}

/** The answer to a request, its body read. Rejects where it is none that holds a list. */
export async function ask(url: string): Promise<Headers> {
  const answer = await fetch(url);
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${url} was answered ${answer.status}`);
  return answer.headers;
}
