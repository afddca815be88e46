import { setTimeout as pause } from 'node:timers/promises';
import { readVersions } from './versioned-source.js';
import type { VersionedSource } from './versioned-source.js';

/** Milliseconds between the response to a request and the next request of a client. */
const THINKING_MS = 25;

/** What must be true of all responses to one target, whichever instance sends them. */
export class TargetHistory {
  /** What was wrong so far. */
  readonly violations: string[] = [];
  private readonly contents = new Map<string, string>();

  /**
   * @param sources the sources of the target
   * @param options `maxAge`: time for which a source's records may be served after it replaced them, in milliseconds.
   * `hasDates`: whether a response may have a date.
   */
  constructor(
    readonly target: string,
    private readonly sources: readonly VersionedSource[],
    private readonly options: { readonly maxAge: number; readonly hasDates: boolean },
  ) {}

  /** Checks the content of a client after a response: the sources served it within the time for which it may be served. */
  checkContent(text: string, { sentAt, status }: { readonly sentAt: number; readonly status: string }): void {
    const versions = readVersions(text);
    const now = Date.now();
    for (const source of this.sources) {
      const version = versions.get(source.name);
      const isKnown = version !== undefined && source.served(version, sentAt - this.options.maxAge, now);
      if (!isKnown) this.report(`${source.name} has version ${source.version}, the answer ${version}: ${status}`);
    }
  }

  /** Checks that an entity tag stands for one content only. */
  checkTag(etag: string, text: string): void {
    const known = this.contents.get(etag) ?? text;
    if (known !== text) this.report(`${etag} stands for two contents:\n${known}\n${text}`);
    this.contents.set(etag, text);
  }

  checkDate(lastModified: string | null): void {
    if (lastModified !== null && !this.options.hasDates) this.report(`a response has the date ${lastModified}`);
  }

  report(violation: string): void {
    this.violations.push(`${this.target}: ${violation}`);
  }
}

/** A response as a client counts it. */
interface Exchange {
  readonly milliseconds: number;
}

interface StoredResponse {
  readonly text: string;
  readonly etag: string | null;
}

/** A client that requests one target again and again, with conditions, from one instance or from several in turn. */
export class CheckingClient {
  /** Responses since the last call of `takeExchanges`. */
  private exchanges: Exchange[] = [];
  private stored: StoredResponse | undefined;
  private number = 0;
  private isStopped = false;
  private readonly ended: Promise<void>;

  constructor(
    private readonly ports: readonly number[],
    private readonly history: TargetHistory,
  ) {
    this.ended = this.run();
  }

  /** Returns the responses since the last call. */
  takeExchanges(): readonly Exchange[] {
    return this.exchanges.splice(0);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.ended;
  }

  private async run(): Promise<void> {
    while (!this.isStopped) {
      try {
        await this.request();
      } catch (error) {
        this.history.report(`no response: ${String(error)}`);
      }
      await pause(THINKING_MS);
    }
  }

  private async request(): Promise<void> {
    this.number += 1;
    const { history, number } = this;
    const port = this.ports[number % this.ports.length] ?? 0;
    const [sentAt, begin] = [Date.now(), performance.now()];
    const response = await fetch(`http://127.0.0.1:${port}${history.target}`, { headers: this.condition() });
    const body = await response.text();
    const { status, headers } = response;
    this.exchanges.push({ milliseconds: performance.now() - begin });
    history.checkDate(headers.get('last-modified'));
    const states = headers.get('source-status') ?? '';
    if (status === 304) this.checkNotModified(headers);
    else if (status === 200) this.stored = { text: body, etag: headers.get('etag') };
    else history.report(`status ${status}: ${body}`);
    const { stored } = this;
    if (stored === undefined) return;
    history.checkContent(stored.text, { sentAt, status: `${status} ${states}` });
    if (stored.etag !== null) history.checkTag(stored.etag, stored.text);
  }

  /** In turn: by entity tag, and none. */
  private condition(): Readonly<Record<string, string>> {
    const { etag = null } = this.stored ?? {};
    return this.number % 2 === 0 && etag !== null ? { 'if-none-match': etag } : {};
  }

  private checkNotModified(headers: Headers): void {
    const etag = headers.get('etag');
    if (etag !== null && etag !== this.stored?.etag)
      this.history.report(`304 for ${this.stored?.etag ?? ''} has the entity tag ${etag}`);
  }
}
