import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import { afterEach, expect, describe, it } from 'vitest';
import { MemoryBudget } from '../../src/cache/memory-budget.js';
import { ChangeCounter } from '../../src/cache/change-counter.js';
import { ClientDisconnectedError } from '../../src/http/representation/waiting-clients.js';
import { ResponseCache } from '../../src/http/cache/response-cache.js';
import { RenderCache } from '../../src/http/cache/render-cache.js';
import type { ResponseBody } from '../../src/http/representation/outgoing-response.js';
import { sendResponse } from '../../src/http/send-response.js';
import type { SendDependencies } from '../../src/http/send-response.js';
import { systemClock } from '../../src/model/clock.js';
import { listen } from '../../src/runtime/http-listener.js';

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

function emptyCaches(): SendDependencies {
  const renderings = new RenderCache(new MemoryBudget(1).addLevel());
  const access = { publish: () => undefined, clock: systemClock, level: 'none' } as const;
  const parts = {
    renderCache: renderings,
    changeCounter: new ChangeCounter(),
    gatewayName: 'gateway',
    accessLog: access,
    readRepresentation: () => undefined,
    isStopping: () => false,
  };
  const vary = 'Accept, Accept-Encoding, Prefer';
  const descriptionLinks = '</openapi.json>; rel="service-desc"';
  return {
    renderCache: renderings,
    responseCache: new ResponseCache(parts),
    clock: systemClock,
    vary,
    descriptionLinks,
  };
}

/** Starts a server that sends this body for every request; `sent` resolves to the result of `sendResponse`. */
async function serve(
  body: (request: IncomingMessage) => ResponseBody,
): Promise<{ origin: string; sent: Promise<number> }> {
  let resolveSent: (bytes: Promise<number>) => void;
  const sent = new Promise<number>((resolve) => (resolveSent = resolve));
  server = createServer((request, response) => {
    resolveSent(
      sendResponse(request, response, { status: 200, headers: {}, body: () => body(request) }, emptyCaches()),
    );
  });
  return { origin: await listen(server, { host: '127.0.0.1', port: 0 }), sent };
}

describe('sendResponse', () => {
  it('sends pieces of text as one body with Content-Length', async () => {
    const { origin, sent } = await serve(() => ['Zü', 'rich ', '東京']);
    const response = await fetch(origin);
    expect([response.headers.get('content-length'), await response.text()]).toEqual(['14', 'Zürich 東京']);
    expect(await sent).toBe(14);
  });

  it('sends bytes that arrive later', async () => {
    const { origin } = await serve(() => Promise.resolve(Uint8Array.of(1, 2, 255)));
    expect(new Uint8Array(await (await fetch(origin)).arrayBuffer())).toEqual(Uint8Array.of(1, 2, 255));
  });

  it('stops rendering when the client disconnects', async () => {
    let begun = (): void => undefined;
    const working = new Promise<void>((resolve) => (begun = resolve));
    let closed = false;
    function* endless(): Generator<string, void, undefined> {
      try {
        for (;;) {
          yield 'more';
          begun();
        }
      } finally {
        closed = true;
      }
    }
    const { origin, sent } = await serve(endless);
    const disconnecting = get(origin);
    disconnecting.on('error', () => undefined);
    await working;
    disconnecting.destroy();
    expect(await sent).toBe(0);
    expect(closed).toBe(true);
  });

  it('does not fail when the body is rejected because the client disconnected', async () => {
    let resolveRequested = (): void => undefined;
    const requested = new Promise<void>((resolve) => (resolveRequested = resolve));
    const { origin, sent } = await serve((request) => {
      resolveRequested();
      return once(request.socket, 'close').then(() => Promise.reject(new ClientDisconnectedError()));
    });
    const disconnecting = get(origin).on('error', () => undefined);
    await requested;
    disconnecting.destroy();
    expect(await sent).toBe(0);
  });

  it('fails with the error of the body while the client waits', async () => {
    const { origin, sent } = await serve(() => Promise.reject(new Error('no memory')));
    get(origin).on('error', () => undefined);
    await expect(sent).rejects.toThrow('no memory');
  });
});
