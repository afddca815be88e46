import type { SourceConfig, SourceOrigin } from '../../config/config.js';
import type { Capability } from '../../model/registration/capability.js';
import type { DocumentNode } from '../../model/document-node.js';
import type { DocumentAddress, DocumentLayout, PublishedDocument } from '../../model/registration/document-mapping.js';
import type { RegisteredFeed } from '../../model/registration/published-feed.js';
import type { SourceConnection } from '../../model/registration/source-connection.js';
import type { SourceCredential } from '../../model/registration/source-credential.js';
import { MASK, maskUrl, maskValue, showDuration, showSize, toSettings } from './masked-values.js';
import type { ShownSettings } from './masked-values.js';

/** Without secrets: each setting is listed here with what is shown of it (operation 3.7). */
export function maskSource(source: SourceConfig): ReadonlyMap<string, DocumentNode> {
  const { site, origin, coverage, credentials, connection, headers, breaker, supports } = source;
  const { tls, proxy } = maskConnection(connection);
  return toSettings({
    number: source.number,
    sourceName: source.sourceName,
    ...maskOrigin(origin),
    origin: undefined,
    resources: source.resources,
    site: site && maskUrl(site),
    required: source.required,
    aggregate: source.aggregate,
    prefixes: source.prefixes,
    properties: source.properties,
    coverage: toSettings({ countries: coverage.countries }),
    tolerates: source.tolerates,
    allKeysPublic: source.allKeysPublic,
    supports: toSettings({
      teams: supports.teams && showCapability(supports.teams),
      news: supports.news && showCapability(supports.news),
      channels: supports.channels && showCapability(supports.channels),
    }),
    ttl: showDuration(source.ttl),
    staleWhileRevalidate: showDuration(source.staleWhileRevalidate),
    staleIfError: showDuration(source.staleIfError),
    confirmShrink: showDuration(source.confirmShrink),
    timeout: showDuration(source.timeout),
    retries: source.retries,
    concurrency: source.concurrency,
    pageSize: source.pageSize,
    drainThreshold: source.drainThreshold,
    maxBody: showSize(source.maxBody),
    breaker: toSettings({ failures: breaker.failures, cooldown: showDuration(breaker.cooldown) }),
    credentials: toSettings({
      public: credentials.public && maskCredential(credentials.public),
      members: credentials.members && maskCredential(credentials.members),
    }),
    headers: new Map(Object.keys(headers).map((name) => [name, MASK])),
    connection: undefined,
    code: undefined,
    tls,
    proxy,
  } satisfies ShownSettings<SourceConfig> & Record<'tls' | 'proxy', DocumentNode | undefined>);
}

function maskOrigin(origin: SourceOrigin): Readonly<Record<string, DocumentNode>> {
  switch (origin.kind) {
    case 'directory':
      return { directory: maskUrl(origin.directory) };
    case 'data':
      return { data: maskUrl(origin.data) };
    case 'both':
      return { directory: maskUrl(origin.directory), data: maskUrl(origin.data) };
    case 'document':
      return { document: maskDocument(origin.document) };
    case 'feed':
      return { feed: origin.feeds.map(maskFeed) };
  }
}

function showCapability({ filters, sort, search, total, exact }: Capability): DocumentNode {
  return toSettings({ filters, sort, search, total, exact } satisfies ShownSettings<Capability>);
}

function maskCredential(credential: SourceCredential): DocumentNode {
  switch (credential.kind) {
    case 'bearer':
    case 'basic':
      return new Map([[credential.kind, MASK]]);
    case 'header':
      return new Map([['header', `${credential.name}: ${MASK}`]]);
    case 'query':
      return new Map([['query', `${credential.name}=${MASK}`]]);
  }
}

function maskConnection({ tls, proxies }: SourceConnection): Readonly<Record<'tls' | 'proxy', DocumentNode>> {
  const { ca, cert, key, serverName } = tls ?? {};
  return {
    tls: toSettings({ ca: maskValue(ca), cert: maskValue(cert), key: maskValue(key), serverName }),
    proxy:
      proxies === undefined
        ? 'none'
        : toSettings({
            http: proxies.http && maskUrl(proxies.http),
            https: proxies.https && maskUrl(proxies.https),
            noProxy: proxies.noProxy,
          }),
  };
}

function maskDocument({ mapping, joined, ...address }: PublishedDocument): DocumentNode {
  return toSettings({
    ...showAddress(address),
    interface: address.interfaceName,
    ...showLayout(mapping),
    map: new Map(Object.entries({ ...(mapping.identity !== undefined && { id: mapping.identity }), ...mapping.map })),
    defaults: new Map(Object.entries(mapping.defaults)),
    only: mapping.only,
    join:
      joined &&
      toSettings({
        ...showAddress(joined),
        ...showLayout(joined.layout),
        on: [mapping.join?.key ?? '', joined.layout.key],
        as: mapping.join?.as,
      }),
  });
}

function maskFeed({ url, title }: RegisteredFeed): DocumentNode {
  return toSettings({ url: maskUrl(url), title } satisfies ShownSettings<RegisteredFeed>);
}

function showAddress({ url, page }: DocumentAddress): Readonly<Record<string, DocumentNode | undefined>> {
  return { url: maskUrl(url), page: page && toSettings({ ...page }) };
}

function showLayout(layout: DocumentLayout): Readonly<Record<string, DocumentNode | undefined>> {
  const { format, delimiter, encoding, records, next } = layout;
  return { format, delimiter, encoding, records, next };
}
