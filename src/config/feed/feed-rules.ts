import { foldText } from '../../text/text-folding.js';
import { findOtherOrigins, listFeedAddressPaths } from '../connection/source-addresses.js';
import { childPaths, findDuplicates, readFields } from '../located-value.js';
import type { LocatedValue } from '../located-value.js';
import { feedFields } from '../schema/feed-schema.js';
import { urlWithQuery } from '../schema/value-types.js';
import { createKeyIssues } from '../yaml/config-error.js';
import type { ConfigIssue } from '../yaml/config-error.js';
import { entryPathsAt, itemPathsAt, nodeAt, presentKeysAt } from '../yaml/config-node.js';
import type { ConfigNode, ConfigPath } from '../yaml/config-node.js';

/** Settings that describe interfaces, documents and teams, and have no meaning for a feed (operation 2.8.17). */
const OTHER_SETTINGS = [
  ...['directory', 'data', 'document', 'resources', 'site', 'aggregate', 'prefixes', 'properties', 'coverage'],
  ...['tolerates', 'all-keys-public', 'supports', 'page-size', 'drain-threshold'],
];

/**
 * Checks a source that consists of feeds (operation 2.8.17): no setting of other sources, each address and title once, one
 * origin where credentials or header fields are sent. `source` is the path of its registration.
 */
export function checkFeeds(root: ConfigNode, source: ConfigPath): ConfigIssue[] {
  if (nodeAt(root, [...source, 'feed']) === undefined) return [];
  const addresses = readFields(root, listFeedAddressPaths(root, source), urlWithQuery);
  const titles = readFields(root, childPaths(itemPathsAt(root, [...source, 'feed']), 'title'), feedFields.title);
  return [
    ...createKeyIssues(root, presentKeysAt(root, source, OTHER_SETTINGS), 'is not a setting of a feed'),
    ...findDuplicates(addresses),
    ...findDuplicates(titles.map((title) => ({ ...title, value: foldText(title.value) }))),
    ...checkOrigins(root, source),
    ...addresses.flatMap(checkSecrets),
  ];
}

/** Credentials and header fields are sent to the source's own origin only (decisions 8.4). */
function checkOrigins(root: ConfigNode, source: ConfigPath): ConfigIssue[] {
  const [sent] = ['credentials', 'headers'].filter((key) => entryPathsAt(root, [...source, key]).length > 0);
  if (sent === undefined) return [];
  const message = `must have the scheme, host and port of the first feed: ${sent} are sent to one origin only`;
  const addresses = readFields(root, listFeedAddressPaths(root, source), urlWithQuery);
  return findOtherOrigins(addresses).map(({ path, offset }) => ({ path, offset, message }));
}

/** Names of query parameters that usually hold a secret. */
const SECRET_PARAMETER =
  /^(?:(?:access|auth|api|private|user)?[_-]?(?:key|token)|auth|sig|signature|secret|pass(?:word|wd)?|pwd)$/i;

/** The address of a feed is published with its channel (decisions 4.32.2), so a secret must not be in it. */
function checkSecrets({ value, path, offset }: LocatedValue<string>): ConfigIssue[] {
  const name = [...new URL(value).searchParams.keys()].find((one) => SECRET_PARAMETER.test(one));
  if (name === undefined) return [];
  const message =
    `has the parameter ${name}, and clients see the address as rss of its channel; a secret belongs into ` +
    `credentials: { public: { query: "${name}=…" } }`;
  return [{ path, offset, message }];
}
