import { setTimeout as pause } from 'node:timers/promises';
import { readVersions } from './versioned-source.js';
import type { VersionedSource } from './versioned-source.js';

/** Milliseconds between the response to a request and the next request of a client. */
const THINKING_MS = 25;

/** What must be true of all responses to one target, whichever instance sends them. */
export class TargetHistory {
  /** What was wrong so far. */
  readonly violations: string[] = [];
  /** The newest Last-Modified received, in milliseconds since 1970. */
  newest = -Infinity;
  /** The response that had it. */
  newestFrom = '';
  private readonly contents = new Map<string, string>();

  /**
   * @param sources the sources of the target
   * @param maxAge time for which a source's records may be served after it replaced them, in milliseconds
   */
  constructor(
    readonly target: string,
    private readonly sources: readonly VersionedSource[],
    private readonly maxAge: number,
  ) {}

  /** Checks the content of a client after a response: the sources served it within the time for which it may be served. */
  checkContent(text: string, { sentAt, status }: { readonly sentAt: number; readonly status: string }): void {
    const versions = readVersions(text);
    const now = Date.now();
    for (const source of this.sources) {
      const version = versions.get(source.name);
      const isKnown = version !== undefined && source.served(version, sentAt - this.maxAge, now);
      if (!isKnown) this.report(`${source.name} has version ${source.version}, the answer ${version}: ${status}`);
    }
  }

  /** Checks that an entity tag stands for one content only. */
  checkTag(etag: string, text: string): void {
    const known = this.contents.get(etag) ?? text;
    if (known !== text) this.report(`${etag} stands for two contents:\n${known}\n${text}`);
    this.contents.set(etag, text);
  }

  report(violation: string): void {
    this.violations.push(`${this.target}: ${violation}`);
  }
}

/** A response as a client counts it. */
interface Exchange {
  readonly milliseconds: number;
  readonly hasDate: boolean;
  readonly status: number;
}

interface StoredResponse {
  readonly text: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
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
    const [sentAt, begin, newestBefore] = [Date.now(), performance.now(), history.newest];
    const response = await fetch(`http://127.0.0.1:${port}${history.target}`, { headers: this.condition() });
    const body = await response.text();
    const { status, headers } = response;
    const lastModified = headers.get('last-modified');
    this.exchanges.push({ milliseconds: performance.now() - begin, hasDate: lastModified !== null, status });
    const states = headers.get('source-status') ?? '';
    if (status === 304) this.checkNotModified(headers);
    else if (status === 200) this.stored = { text: body, etag: headers.get('etag'), lastModified };
    else history.report(`status ${status}: ${body}`);
    const { stored } = this;
    if (stored === undefined) return;
    const versions = [...readVersions(stored.text)].join(' ');
    const description = `${versions} from port ${port}, sent ${toTime(sentAt)}, received ${toTime(Date.now())}, ${status}, ${states}`;
    this.checkDate(lastModified, newestBefore, description);
    history.checkContent(stored.text, { sentAt, status: `${status} ${states}` });
    if (stored.etag !== null) history.checkTag(stored.etag, stored.text);
  }

  /** In turn: by entity tag, by date, and none. */
  private condition(): Readonly<Record<string, string>> {
    const { etag = null, lastModified = null } = this.stored ?? {};
    const kind = this.number % 3;
    if (kind === 0 && etag !== null) return { 'if-none-match': etag };
    return kind === 1 && lastModified !== null ? { 'if-modified-since': lastModified } : {};
  }

  private checkDate(lastModified: string | null, newestBefore: number, description: string): void {
    if (lastModified === null) return;
    const date = Date.parse(lastModified);
    const { history } = this;
    if (date < newestBefore)
      history.report(`Last-Modified goes back to ${toTime(date)}: ${description}; before: ${history.newestFrom}`);
    if (date > Date.now()) history.report(`Last-Modified is in the future: ${description}`);
    if (date <= history.newest) return;
    history.newest = date;
    history.newestFrom = `${toTime(date)}: ${description}`;
  }

  private checkNotModified(headers: Headers): void {
    const etag = headers.get('etag');
    if (etag !== null && etag !== this.stored?.etag)
      this.history.report(`304 for ${this.stored?.etag ?? ''} has the entity tag ${etag}`);
  }
}

function toTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(11, 23);
}
