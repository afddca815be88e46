import { setTimeout as pause } from 'node:timers/promises';
import { directoryUpstream } from '../../support/upstream/directory-upstream.js';
import { neverResponds, startUpstream } from '../../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../../support/upstream/upstream-server.js';

/** Records of each source. */
const RECORDS = 3;

/** A source all of whose records have one version, which a test raises. It knows when it served each version. */
export class VersionedSource {
  /** When each version began to be served, in milliseconds since 1970. */
  private readonly beginnings = [Date.now()];
  /** Milliseconds that a response takes. */
  delay = 0;
  /** Called with the remote port of each request. */
  onRequest: (remotePort: number) => void = () => undefined;

  private constructor(
    readonly name: string,
    private readonly upstream: UpstreamServer,
  ) {
    upstream.handler = (request, response) => {
      this.onRequest(response.socket?.remotePort ?? 0);
      const respond = directoryUpstream(this.records);
      void pause(this.delay).then(() => {
        respond(request, response);
      });
    };
  }

  static async open(name: string): Promise<VersionedSource> {
    return new VersionedSource(name, await startUpstream(neverResponds));
  }

  get address(): string {
    return this.upstream.address;
  }

  /** Drains so far: requests for the first page. Another one proves that it is the last page. */
  get drains(): number {
    return this.upstream.requests.filter(({ query }) => Number(query.get('offset')) === 0).length;
  }

  get version(): number {
    return this.beginnings.length - 1;
  }

  /** Replaces all records. */
  change(): void {
    this.beginnings.push(Date.now());
  }

  /** Whether the source served a version at some time between two, in milliseconds since 1970. */
  served(version: number, from: number, to: number): boolean {
    const begin = this.beginnings[version];
    const end = this.beginnings[version + 1] ?? Infinity;
    return begin !== undefined && begin <= to && end >= from;
  }

  close(): Promise<void> {
    return this.upstream.close();
  }

  private get records(): readonly object[] {
    const host = `v${this.version}.example.org`;
    return Array.from({ length: RECORDS }, (_, at) => ({ 'short-team-name': `${this.name}-${at}`, host }));
  }
}

/** Reads the version of each source in a list of teams. Throws where a source has too few records, or of several versions. */
export function readVersions(text: string): ReadonlyMap<string, number> {
  const records: unknown = JSON.parse(text);
  if (!Array.isArray(records)) throw new Error(`no list: ${text}`);
  const found = new Map<string, string[]>();
  for (const record of records as readonly Readonly<Record<string, unknown>>[]) {
    const source = String(record['short-team-name']).replace(/-\d+$/, '');
    found.set(source, [...(found.get(source) ?? []), String(record['host'])]);
  }
  return new Map(
    [...found].map(([source, hosts]) => {
      const [version] = new Set(hosts);
      if (hosts.length !== RECORDS || new Set(hosts).size !== 1) throw new Error(`${source}: ${hosts.join()}`);
      return [source, Number(/^v(\d+)\./.exec(version ?? '')?.[1])];
    }),
  );
}
