import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { load } from 'js-yaml';
import * as z from 'zod';
import { createApp } from '../../../src/app.js';
import { parseConfig } from '../../../src/config/parse-config.js';
import { createPublicServer } from '../../../src/http/server/public-server.js';
import type { Clock } from '../../../src/model/clock.js';
import { directoryInterface } from '../../../src/model/api-interface.js';
import type { Log } from '../../../src/model/log.js';
import { createUndiciTransport } from '../../../src/source/client/transport/http-transport.js';
import { interfacesOf, startCaseUpstream, upstreamSchema } from '../cases/case-upstream.js';
import { silentLog } from '../silent-log.js';
import { createLogSubscriber } from '../../../src/events/log-lines.js';

/** Rollcall's configuration and its upstreams. The address of each upstream is added to the source with the same code. */
const fleetSchema = z.strictObject({
  rollcall: z.looseObject({ sources: z.record(z.string(), z.looseObject({})) }),
  upstreams: z.record(z.string(), upstreamSchema),
});

/** A running gateway with its upstreams, all on free loopback ports. */
export interface RunningCaseGateway {
  /** Port of Rollcall. */
  readonly port: number;
  close(): Promise<void>;
}

const silent: Log = silentLog;

/** Starts the gateway and the upstreams of a file in `test/cases/fleets`; all of them use the given clock. */
export async function startCaseGateway(name: string, clock: Clock, log: Log = silent): Promise<RunningCaseGateway> {
  const file = new URL(`../../cases/fleets/${name}.yaml`, import.meta.url);
  const { rollcall: gateway, upstreams } = fleetSchema.parse(load(readFileSync(file, 'utf8')));
  const { sources } = gateway;
  const running = await Promise.all(Object.values(upstreams).map((upstream) => startCaseUpstream(upstream, clock)));
  Object.entries(upstreams).forEach(([code, upstream], at) => {
    const address = `http://127.0.0.1:${running[at]?.port ?? 0}`;
    const interfaces = interfacesOf(upstream).map((name) => [name, `${address}/${name}/v1`] as const);
    sources[code] = { ...sources[code], ...Object.fromEntries(interfaces) };
  });
  // JSON is valid YAML, so the real configuration parser reads it.
  const parsed = parseConfig(JSON.stringify(gateway), {});
  if ('errors' in parsed) throw new Error(`${name}: ${JSON.stringify(parsed.errors)}`);
  const wire = createUndiciTransport('rollcall');
  const app = createApp(parsed.config, {
    transport: wire.transport,
    clock,
    publish: createLogSubscriber(log),
    random: () => 0,
  });
  const server = createPublicServer(app, directoryInterface).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      app.stopBackgroundWork();
      server.close();
      server.closeAllConnections();
      await Promise.all([wire.close(), ...running.map((upstream) => upstream.close())]);
    },
  };
}
