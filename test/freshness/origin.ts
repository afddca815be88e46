import { createHash } from 'node:crypto';
import { simulatedRepository } from '../support/repository/simulated-repository.js';
import { withValidators } from '../support/upstream/conditional-responses.js';
import { dataUpstream } from '../support/upstream/data-upstream.js';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import { documentUpstream } from '../support/upstream/document-upstream.js';
import { writeRss } from '../support/upstream/feed-upstream.js';
import * as faulty from '../support/upstream/faulty-responses.js';
import type { ListBehaviour, PagingBehaviour, RawRecord } from '../support/upstream/paged-responses.js';
import type { RequestHandler, UpstreamRequest, UpstreamServer } from '../support/upstream/upstream-server.js';

/**
 * State of a source: correct, responding with 500, with 500 to requests for keys only, with a total 3 too large, or with this
 * gateway in Via.
 */
export type SourceState = 'available' | 'failing' | 'without keys' | 'incomplete' | 'loop';

/** One record, from which the records of all resources are built. */
export interface Fact {
  readonly id: number;
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly date: number | undefined;
}

/** `server.name` of the gateway. */
export const GATEWAY_NAME = 'rollcall-freshness';

/** A source with its records and its state. Each response is built from the current ones. */
export class Origin {
  facts: readonly Fact[] = [];
  state: SourceState = 'available';
  /** Last-Modified in milliseconds since 1970, if the source sends one. */
  lastModified: number | undefined;

  constructor(
    readonly upstream: UpstreamServer,
    private readonly tagging: boolean,
  ) {
    upstream.handler = (request, response) => this.handlerFor(request)(request, response);
  }

  private handlerFor({ path, query }: UpstreamRequest): RequestHandler {
    const asksForKeys = query.get('scope') === 'pgp';
    if (this.state === 'failing' || (this.state === 'without keys' && asksForKeys)) return faulty.status(500);
    const baseHandler = this.available(path);
    if (!this.tagging || this.state !== 'available') return baseHandler;
    // Of the two documents only that with the changed entries gets another tag.
    const state = path.endsWith('/second') ? this.facts.map(secondEntry) : [this.facts, path];
    const version = createHash('sha256').update(JSON.stringify([state, this.lastModified]));
    const etag = `"${version.digest('hex')}"`;
    return withValidators(baseHandler, () => ({ etag }));
  }

  private available(path: string): RequestHandler {
    if (path.endsWith('/document')) return this.document();
    if (path.endsWith('/second')) return this.second();
    if (path.endsWith('/feed')) return this.feed();
    if (path.includes('/large/')) return this.large();
    return path.includes('/directory/') ? this.directory() : this.data();
  }

  private get behaviour(): PagingBehaviour {
    const date = this.lastModified;
    return {
      ...(date !== undefined && { lastModified: () => new Date(date).toUTCString() }),
      ...(this.state === 'incomplete' && { total: 3 }),
      ...(this.state === 'loop' && { headers: { Via: `1.1 ${GATEWAY_NAME}` } }),
    };
  }

  /** Like `behaviour`; a document has no total, but may have come through a gateway whose source is missing. */
  private get documentBehaviour(): ListBehaviour {
    const { headers, ...behaviour } = this.behaviour;
    const incomplete = this.state === 'incomplete' && { headers: { 'Source-Status': 'below;state=failed' } };
    return { ...behaviour, ...(headers && { headers }), ...incomplete };
  }

  /** Pages of two teams, which are linked. */
  private document(): RequestHandler {
    const entries = this.facts.map(({ id, version, date }) => ({
      key: id,
      name: `D${id}`,
      host: `v${version}`,
      ...(date !== undefined && { changed: new Date(date).toISOString() }),
    }));
    return documentUpstream({ pages: 'linked', size: 2 }, entries, this.documentBehaviour);
  }

  private second(): RequestHandler {
    return documentUpstream({}, this.facts.map(secondEntry), this.documentBehaviour);
  }

  private feed(): RequestHandler {
    const items = this.facts.map(({ id, version, date }) => ({
      guid: `tag:four.example.org,2026:${id}`,
      title: `F${id} v${version}`,
      ...(date !== undefined && { pubDate: new Date(date).toUTCString() }),
    }));
    return (_request, response) => {
      const { lastModified: date } = this;
      const headers = {
        'Content-Type': 'application/rss+xml',
        ...(date !== undefined && { 'Last-Modified': new Date(date).toUTCString() }),
        ...(this.state === 'loop' && { Via: `1.1 ${GATEWAY_NAME}` }),
      };
      response.writeHead(200, headers).end(writeRss(items));
    };
  }

  /** Evaluates filters and orders. */
  private large(): RequestHandler {
    return simulatedRepository({ directory: this.teams }, [{ paging: this.behaviour }]);
  }

  private directory(): RequestHandler {
    return directoryUpstream(this.teams, this.behaviour);
  }

  private get teams(): readonly RawRecord[] {
    return this.facts.map(({ id, version, date }) => ({
      'short-team-name': `T${id}`,
      host: `v${version}`,
      'country-code': id % 2 === 0 ? 'BR' : 'PT',
      ...(date !== undefined && { 'last-modified': new Date(date).toISOString() }),
    }));
  }

  private data(): RequestHandler {
    const teams = this.facts.map(({ id, version, date }) => ({
      id: `t${id}`,
      team: `T${id}`,
      host: `v${version}`,
      country: id % 2 === 0 ? 'BR' : 'PT',
      'pgp-id': `0x0000000${(id + version) % 10}`,
      ...(date !== undefined && { 'last-modified': new Date(date).toISOString() }),
    }));
    const news = this.facts.map(({ id, version, date }) => ({
      id,
      title: `N${id} v${version}`,
      channels: id % 2 === 0 ? ['alerts'] : ['other'],
      ...(date !== undefined && { published: new Date(date).toUTCString() }),
    }));
    const channels = ['alerts', 'other'].map((title, id) => ({ id: id + 1, title }));
    return dataUpstream({ teams, news, channels }, { ...this.behaviour, keys: 'pgp' });
  }
}

/** The entry of the second document for a record: its country. */
function secondEntry({ id }: Fact): object {
  return { owner: id, country: id % 2 === 0 ? 'BR' : 'PT' };
}

/** The registration of a document of teams, with its second document. */
export function registerDocument(address: string): object {
  return {
    url: `${address}/document`,
    records: 'entries',
    next: 'next',
    map: {
      id: 'to_string(key)',
      'short-team-name': 'name',
      host: 'host',
      'country-code': 'second[0].country',
      'last-modified': 'changed',
    },
    join: { url: `${address}/second`, records: 'entries', on: ['key', 'owner'], as: 'second' },
  };
}
