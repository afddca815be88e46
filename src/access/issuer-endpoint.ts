import type { Publish } from '../events/event.js';
import type { Clock } from '../model/clock.js';

export interface AccessDependencies {
  readonly clock: Clock;
  readonly publish: Publish;
}

/** The issuer cannot be asked now, or answers with something else than the document (decisions 8.1). */
export class IssuerUnavailable extends Error {
  override readonly name = 'IssuerUnavailable';
}

/** Milliseconds for one request, its body included. */
const TIMEOUT = 5_000;

/** In bytes, decoded. */
const MAX_DOCUMENT_SIZE = 1024 * 1024;

/**
 * One document of an issuer (operation 2.6.3). Remembers a failure, so that an issuer that is down is not asked for
 * each request. Reports when the document becomes unavailable and when it is available again.
 */
export class IssuerEndpoint {
  private failedAt: number | undefined;

  constructor(
    private readonly url: URL,
    private readonly dependencies: AccessDependencies,
  ) {}

  /**
   * `parse` throws an error that says what is wrong with the document. Within `pause` milliseconds after a failure
   * nothing is requested. Rejects with IssuerUnavailable.
   */
  async fetchDocument<T>(parse: (document: unknown) => T, pause: number): Promise<T> {
    if (isWithin(this.failedAt, pause, this.dependencies.clock)) throw new IssuerUnavailable('failed recently');
    try {
      const content = parse(await fetchJson(this.url));
      this.reportSuccess();
      return content;
    } catch (error) {
      const reason = describeFailure(error);
      this.reportFailure(reason);
      throw new IssuerUnavailable(reason);
    }
  }

  private reportSuccess(): void {
    if (this.failedAt === undefined) return;
    this.failedAt = undefined;
    this.dependencies.publish({ type: 'issuer available again', url: this.loggedUrl });
  }

  private reportFailure(reason: string): void {
    const isFirst = this.failedAt === undefined;
    this.failedAt = this.dependencies.clock.now();
    if (isFirst) this.dependencies.publish({ type: 'issuer unavailable', url: this.loggedUrl, error: reason });
  }

  /** Without a query, which could be secret. */
  private get loggedUrl(): string {
    return `${this.url.origin}${this.url.pathname}`;
  }
}

/** A time in the future, after the clock was set back, is not within the period. */
export function isWithin(at: number | undefined, period: number, clock: Clock): boolean {
  if (at === undefined) return false;
  const elapsed = clock.now() - at;
  return elapsed >= 0 && elapsed < period;
}

/** Redirects are not followed: the issuer of a configuration is one server. */
async function fetchJson(url: URL): Promise<unknown> {
  const signal = AbortSignal.timeout(TIMEOUT);
  const response = await fetch(url, { signal, redirect: 'manual', headers: { accept: 'application/json' } });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`status ${response.status}`);
  }
  const text = await readBody(response);
  signal.throwIfAborted();
  return JSON.parse(text);
}

async function readBody({ body }: Response): Promise<string> {
  if (body === null) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  const received: AsyncIterable<Uint8Array> = body;
  for await (const chunk of received) {
    size += chunk.byteLength;
    if (size > MAX_DOCUMENT_SIZE) throw new Error(`more than ${MAX_DOCUMENT_SIZE} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Without text that the issuer sent. `fetch` puts the reason into the cause of its error. */
function describeFailure(error: unknown): string {
  if (error instanceof SyntaxError) return 'not JSON';
  const reason = error instanceof Error ? (error.cause ?? error) : error;
  if (!(reason instanceof Error)) return String(reason);
  return 'code' in reason && typeof reason.code === 'string' ? reason.code : reason.message;
}
