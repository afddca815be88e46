import { parseUrl } from '../../text/url.js';
import type { LocatedValue } from '../located-value.js';
import { itemPathsAt, keyOffsetOf, nodeAt, toPlainValue } from '../yaml/config-node.js';
import type { ConfigNode, ConfigPath } from '../yaml/config-node.js';
import type { ConfigIssue } from '../yaml/config-error.js';

/** Have no meaning for a file. */
const CONNECTION_SETTINGS = ['tls', 'proxy', 'headers'];

/** Each in its short form, or as `url` (operation 2.8.17). */
export function listFeedAddressPaths(root: ConfigNode, source: ConfigPath): readonly ConfigPath[] {
  const feed = [...source, 'feed'];
  const paths = nodeAt(root, feed)?.kind === 'scalar' ? [feed] : itemPathsAt(root, feed);
  return paths.map((path) => (nodeAt(root, path)?.kind === 'map' ? [...path, 'url'] : path));
}

/** Those of another origin than the first: credentials are sent to one origin only (decisions 8.4). */
export function findOtherOrigins(found: readonly LocatedValue<string>[]): readonly LocatedValue<string>[] {
  const [first] = found;
  const origin = first && parseUrl(first.value)?.origin;
  return found.filter(({ value }) => parseUrl(value)?.origin !== origin);
}

/** Valid URLs only. */
export function listAddresses(root: ConfigNode, source: ConfigPath): readonly URL[] {
  const single = [['directory'], ['data'], ['document', 'url']].map((key) => [...source, ...key]);
  return [...single, ...listFeedAddressPaths(root, source)].flatMap((path) => {
    const text = toPlainValue(nodeAt(root, path));
    const url = typeof text === 'string' ? parseUrl(text) : undefined;
    return url === undefined ? [] : [url];
  });
}

/**
 * Settings of connections have no effect for a document in a file, and `tls` none without an `https` address (operation
 * 2.8.14).
 */
export function checkConnectionSettings(root: ConfigNode, source: ConfigPath): ConfigIssue[] {
  const issue = (key: string, message: string): ConfigIssue[] => {
    const path = [...source, key];
    return nodeAt(root, path) === undefined ? [] : [{ path, offset: keyOffsetOf(root, path), message }];
  };
  if (nodeAt(root, [...source, 'document', 'file']) !== undefined)
    return CONNECTION_SETTINGS.flatMap((key) => issue(key, 'is not a setting of a file'));
  const addresses = listAddresses(root, source);
  const isPlain = addresses.length > 0 && addresses.every(({ protocol }) => protocol === 'http:');
  return isPlain ? issue('tls', 'needs an address with https') : [];
}
