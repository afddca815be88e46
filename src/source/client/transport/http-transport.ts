import { setImmediate as nextTurn } from 'node:timers/promises';
import { Agent, EnvHttpProxyAgent, Pool, buildConnector, request } from 'undici';
import type { Dispatcher } from 'undici';
import type { ProxySettings, SourceConnection } from '../../../model/registration/source-connection.js';
import { SourceFailure } from '../source-failure.js';
import type { Transport, HttpResponse } from '../http-client-types.js';
import { raceAbort } from '../abortable-wait.js';
import { CertificateObserver } from './certificate-observer.js';
import type { ServerCertificate } from './certificate-observer.js';
import { createProxyFailure, describeProxyRefusal } from './proxy-failure.js';
import { describeTlsFailure } from './tls-failure.js';

export interface ClosableTransport {
  readonly transport: Transport;
  /** The last certificate with which the origin's server answered. */
  readonly findCertificate: (origin: string) => ServerCertificate | undefined;
  /** Requests in progress fail. */
  close(): Promise<void>;
}

/** Milliseconds. The timeout of the request is usually shorter or as long. */
const CONNECT_TIMEOUT = 10_000;

/** Decisions 6.14. A source that sends more is hostile or broken. */
const MAX_HEADER_BYTES = 32 * 1024;

/** 1xx to one request. Real servers send one or two. */
const MAX_INFORMATIONAL = 100;

/** Of an unused body, read so that its connection can be reused. */
const MAX_DISCARDED_BYTES = 128 * 1024;

/** Undici's own timers are too coarse for deadlines, so they are off. */
const CLIENT_OPTIONS = {
  keepAliveTimeout: 10_000,
  headersTimeout: 0,
  bodyTimeout: 0,
  maxHeaderSize: MAX_HEADER_BYTES,
} as const;

const DIRECT: SourceConnection = {};

/**
 * Uses the network: a pool of persistent connections for each origin and connection settings. Layers above follow
 * redirects and decode bodies. `userAgent` identifies the gateway to its sources' operators.
 */
export function createUndiciTransport(userAgent: string): ClosableTransport {
  const dispatchers = new Map<SourceConnection, Dispatcher>();
  const certificates = new CertificateObserver();
  let isClosed = false;
  const findDispatcher = (connection: SourceConnection): Dispatcher => {
    if (isClosed) throw new SourceFailure('internal', 'the transport is closed');
    const dispatcher = dispatchers.get(connection) ?? createDispatcher(connection);
    dispatchers.set(connection, dispatcher);
    return dispatcher;
  };
  return {
    transport: async ({ url, headers, connection = DIRECT }, signal) => {
      signal.throwIfAborted();
      const response = request(url, {
        dispatcher: findDispatcher(connection),
        headers: { 'user-agent': userAgent, ...headers },
        signal,
        onInfo: createInformationalLimit(),
      });
      // Undici ignores the signal until the connection is established (nodejs/undici#386).
      return new UndiciResponse(
        await raceAbort(response, signal, () => rejectWithReason(signal)).catch((error: unknown) => {
          throw describeTlsFailure(describeProxyRefusal(error), connection.tls);
        }),
      );
    },
    findCertificate: (origin) => certificates.find(origin),
    close: async () => {
      isClosed = true;
      certificates.close();
      await Promise.all(Array.from(dispatchers.values(), (dispatcher) => dispatcher.destroy()));
    },
  };
}

function createDispatcher({ tls, proxies }: SourceConnection): Dispatcher {
  const tlsOptions = { timeout: CONNECT_TIMEOUT, ...tls };
  return proxies === undefined
    ? new Agent({ ...CLIENT_OPTIONS, connect: createConnector(tlsOptions) })
    : createProxyDispatcher(proxies, tlsOptions);
}

/** Node.js reports a TLS alert after the handshake as an error and then as an end, which undici would name instead. */
function createConnector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options);
  return (target, callback) => {
    connect(target, (...result) => {
      const [, socket] = result;
      socket?.once('error', () => socket.destroy());
      callback(...result);
    });
  };
}

/**
 * Behind proxies (operation 2.8.15): requests to `http` go to the proxy itself, since common proxies open tunnels to
 * port 443 only; an `https` address gets a tunnel.
 */
function createProxyDispatcher(
  { http = '', https = '', noProxy }: ProxySettings,
  tlsOptions: buildConnector.BuildOptions,
): Dispatcher {
  const proxyOrigins = [http, https].flatMap((url) => (url === '' ? [] : [new URL(url).origin]));
  const poolOptions = { ...CLIENT_OPTIONS, connect: connectToProxy };
  return new EnvHttpProxyAgent({
    ...CLIENT_OPTIONS,
    connect: createConnector(tlsOptions),
    requestTls: tlsOptions,
    // An empty text means no proxy; without it, undici would read the environment itself.
    httpProxy: http,
    httpsProxy: https,
    noProxy,
    proxyTunnel: false,
    clientFactory: (origin) => new Pool(origin, { ...poolOptions, headersTimeout: CONNECT_TIMEOUT }),
    factory: (origin, originOptions) =>
      proxyOrigins.includes(new URL(origin).origin) ? new Pool(origin, poolOptions) : new Pool(origin, originOptions),
  });
}

const connectDirectly = buildConnector({ timeout: CONNECT_TIMEOUT });

/** Names the proxy in the failure. */
const connectToProxy: buildConnector.connector = (options, callback) => {
  connectDirectly(options, (...[error, socket]) => {
    if (error === null) callback(null, socket);
    else callback(createProxyFailure(error), null);
  });
};

/**
 * Counts informational responses (RFC 9110, section 15.2), of which a source may send endlessly many; none is used. The
 * callback's error ends the request.
 */
function createInformationalLimit(): () => void {
  let received = 0;
  return () => {
    received += 1;
    if (received > MAX_INFORMATIONAL)
      throw new SourceFailure('size', `more than ${MAX_INFORMATIONAL} informational responses`);
  };
}

function rejectWithReason({ reason }: AbortSignal): Promise<never> {
  return Promise.reject(reason instanceof Error ? reason : new Error(String(reason)));
}

class UndiciResponse implements HttpResponse {
  readonly status: number;

  constructor(private readonly response: Dispatcher.ResponseData) {
    this.status = response.statusCode;
  }

  header(name: string): string | undefined {
    const value = this.response.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  async readBytes(most: number): Promise<Buffer> {
    const body: AsyncIterable<Buffer> = this.response.body;
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of body) {
      length += chunk.length;
      // Leaving the loop closes the connection.
      if (length > most) throw new SourceFailure('size', `a body of more than ${most} bytes`);
      chunks.push(chunk);
    }
    await waitForFreeConnection();
    const [first] = chunks;
    // Most pages arrive in one chunk; copying would cost a tenth of a drain's CPU time, in the garbage collector.
    return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks, length);
  }

  async discard(): Promise<void> {
    await this.response.body.dump({ limit: MAX_DISCARDED_BYTES });
    await waitForFreeConnection();
  }
}

/**
 * From the next turn of the event loop on undici reuses an ended response's connection; an earlier request would open
 * another (decision record 0019).
 */
function waitForFreeConnection(): Promise<void> {
  return nextTurn();
}
