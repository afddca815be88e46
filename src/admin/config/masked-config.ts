import type { Config, SourceConfig } from '../../config/config.js';
import { configFile } from '../../config/schema/config-file.js';
import { showValue } from '../../config/schema/setting-types.js';
import { source as sourceSchema } from '../../config/schema/source.js';
import { maskUrl } from '../../config/schema/values.js';
import { isMapNode } from '../../model/document-node.js';
import type { DocumentNode } from '../../model/document-node.js';
import type { DocumentAddress, DocumentLayout, PublishedDocument } from '../../model/registration/document-mapping.js';
import type { SourceConnection } from '../../model/registration/source-connection.js';
import type { SourceCredential } from '../../model/registration/source-credential.js';

/** The configuration in force, by the names of the configuration file, without its secrets (operation 3.7). */
export function maskConfig({ access, sources, ...config }: Config): ReadonlyMap<string, DocumentNode> {
  const shown = showValue(configFile, {
    ...config,
    access: { ...access, scopes: toMap(access.scopes) },
    sources: new Map(sources.map((source) => [source.code, showValue(sourceSchema, toSettings(source))])),
  });
  return shown !== undefined && isMapNode(shown) ? shown : new Map();
}

/** As the file has them, with what is in force in place of what the file says. */
function toSettings(source: SourceConfig): object {
  const { origin, connection, credentials } = source;
  return {
    ...source,
    ...origin,
    ...(origin.kind === 'feed' && { feed: origin.feeds }),
    ...(origin.kind === 'document' && { document: showDocument(origin.document) }),
    credentials: {
      public: credentials.public && toForm(credentials.public),
      members: credentials.members && toForm(credentials.members),
    },
    tls: connection.tls ?? {},
    proxy: showProxies(connection),
  };
}

function toForm(credential: SourceCredential): object {
  const { kind } = credential;
  if (kind === 'bearer') return { bearer: credential.token };
  if (kind === 'basic') return { basic: credential.userPassword };
  return { [kind]: credential };
}

function showProxies({ proxies }: SourceConnection): DocumentNode {
  if (proxies === undefined) return 'none';
  const { http, https, noProxy } = proxies;
  return toMap({ http: http && maskUrl(http), https: https && maskUrl(https), 'no-proxy': noProxy });
}

function showDocument({ mapping, joined, ...address }: PublishedDocument): DocumentNode {
  const { identity, map, defaults, only, join } = mapping;
  return toMap({
    ...showAddress(address),
    interface: address.interfaceName,
    ...showLayout(mapping),
    map: toMap({ id: identity, ...map }),
    defaults: toMap(defaults),
    only,
    join:
      joined &&
      toMap({
        ...showAddress(joined),
        ...showLayout(joined.layout),
        on: [join?.key ?? '', joined.layout.key],
        as: join?.as,
      }),
  });
}

type Shown = Readonly<Record<string, DocumentNode | undefined>>;

function showAddress({ url, page }: DocumentAddress): Shown {
  return { url: maskUrl(url), page: page && toMap({ ...page }) };
}

function showLayout({ format, delimiter, encoding, records, next }: DocumentLayout): Shown {
  return { format, delimiter, encoding, records, next };
}

/** What is undefined has no value, and is left out. */
function toMap(shown: Shown): ReadonlyMap<string, DocumentNode> {
  return new Map(Object.entries(shown).flatMap(([name, node]) => (node === undefined ? [] : [[name, node] as const])));
}
