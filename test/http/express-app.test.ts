import { IncomingMessage, ServerResponse, createServer } from 'node:http';
import { expect, it } from 'vitest';
import { createApp } from '../../src/app.js';
import { parseConfig } from '../../src/config/parse-config.js';
import { systemClock } from '../../src/model/clock.js';
import { listen } from '../../src/runtime/http-listener.js';

const sources = { one: { number: 1, directory: 'http://127.0.0.1:9/directory' } };
it('does not change the prototypes of requests and responses of node:http', async () => {
  const parsed = parseConfig(JSON.stringify({ sources }), {});
  if ('errors' in parsed) throw new Error(JSON.stringify(parsed.errors));
  const transport = (): Promise<never> => Promise.reject(new Error('no source must be requested'));
  const app = createApp(parsed.config, { transport, clock: systemClock });
  const server = createServer(app.listener);
  const origin = await listen(server, { host: '127.0.0.1', port: 0 });
  const prototypes: unknown[] = [];
  server.on('request', (...both) =>
    prototypes.push(...both.map((message) => Object.getPrototypeOf(message) as unknown)),
  );
  const response = await fetch(`${origin}/directory/v1/nowhere`);
  expect(response.status).toBe(404);
  expect(prototypes).toStrictEqual([IncomingMessage.prototype, ServerResponse.prototype]);
  app.stopBackgroundWork();
  server.close();
});
