import { parseUrl } from '../../text/url.js';
import { toPlainValue, keyOffsetOf, nodeAt } from '../yaml/config-node.js';
import type { ConfigNode, ConfigPath } from '../yaml/config-node.js';
import type { ConfigIssue } from '../yaml/config-error.js';

/** Settings that say how a server is reached. They have no meaning for a file. */
const CONNECTION_SETTINGS = ['tls', 'proxy', 'headers'];

/** The valid URLs at which a source is requested: its interfaces, or its document. */
export function listAddresses(root: ConfigNode, source: ConfigPath): readonly URL[] {
  return [['directory'], ['data'], ['document', 'url']].flatMap((key) => {
    const text = toPlainValue(nodeAt(root, [...source, ...key]));
    const url = typeof text === 'string' ? parseUrl(text) : undefined;
    return url === undefined ? [] : [url];
  });
}

/**
 * Checks that settings of connections have an effect (operation 2.8.14): none for a document in a file, and `tls` for a
 * source with an `https` address only.
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
