import { foldText } from '../../text/text-folding.js';
import type { RegisteredSource } from '../schema/config-file.js';
import { TAKEN_FIELDS, isFieldName } from '../schema/source.js';
import { type Setting, findDuplicates, valuesOf } from '../setting.js';
import type { ConfigIssue } from '../yaml/config-node.js';
import { checkDocument } from './document-rules.js';
import { checkSupports, isSentParameter, propertyNameError } from './property-rules.js';
import { findOtherOrigins, listAddresses } from './connection-rules.js';

type Source = Setting<RegisteredSource>;

/** Rules between the settings of one source. */
export function checkSource(source: Source): ConfigIssue[] {
  return [
    ...checkInterfaces(source),
    ...checkDocument(source),
    ...checkFeeds(source),
    ...checkConnectionSettings(source),
    ...checkRequestHeaders(source),
    ...checkProperties(source.at('properties').items()),
  ];
}

/** A source needs an interface. Only the data interface has news, channels and PGP keys (operation 2.8.2, 2.8.8). */
function checkInterfaces(source: Source): ConfigIssue[] {
  if (source.present('document', 'feed', 'data').length > 0) return [];
  if (!source.at('directory').isPresent) return source.keyIssue('needs directory, data or both, or a document or feed');
  const message = 'is only on the data interface';
  const resources = source.at('resources').items();
  return [
    ...resources.flatMap((one) => one.issue(one.value === undefined || one.value === 'teams' ? undefined : message)),
    ...source.refuse(['all-keys-public'], message),
  ];
}

/** Settings that describe interfaces, documents and teams, and have no meaning for a feed (operation 2.8.17). */
const NO_SETTINGS_OF_FEEDS = [
  ...['directory', 'data', 'document', 'resources', 'site', 'aggregate', 'prefixes', 'properties', 'coverage'],
  ...['tolerates', 'all-keys-public', 'supports', 'page-size', 'drain-threshold'],
];

/** No setting of other sources, each address and title once, one origin where credentials or header fields are sent. */
function checkFeeds(source: Source): ConfigIssue[] {
  const feed = source.at('feed');
  if (!feed.isPresent) return [];
  const titles = feed.items().map((one) => one.at('title'));
  const addresses = feed.items().flatMap((one) => one.at('url').ifValid());
  const [sent] = (['credentials', 'headers'] as const).filter((key) => source.at(key).entries().length > 0);
  const message = `must have the scheme, host and port of the first feed: ${sent} are sent to one origin only`;
  return [
    ...source.refuse(NO_SETTINGS_OF_FEEDS, 'is not a setting of a feed'),
    ...findDuplicates(addresses),
    ...findDuplicates(titles, (title) => title && foldText(title)),
    ...(sent === undefined ? [] : findOtherOrigins(addresses).flatMap((address) => address.issue(message))),
    ...addresses.flatMap(checkSecrets),
  ];
}

/** Names of query parameters that usually hold a secret. */
const SECRET_PARAMETER =
  /^(?:(?:access|auth|api|private|user)?[_-]?(?:key|token)|auth|sig|signature|secret|pass(?:word|wd)?|pwd)$/i;

/** The address of a feed is published with its channel (decisions 4.32.2), so a secret must not be in it. */
function checkSecrets(address: Setting<string>): ConfigIssue[] {
  const name = [...new URL(address.value ?? '').searchParams.keys()].find((one) => SECRET_PARAMETER.test(one));
  const message =
    `has the parameter ${name}, and clients see the address as rss of its channel; a secret belongs into ` +
    `credentials: { public: { query: "${name}=…" } }`;
  return address.issue(name === undefined ? undefined : message);
}

/** Those of connections have no effect for a file, and `tls` none without an `https` address (operation 2.8.14). */
function checkConnectionSettings(source: Source): ConfigIssue[] {
  if (source.at('document').at('file').isPresent)
    return source.refuse(['tls', 'proxy', 'headers'], 'is not a setting of a file');
  const addresses = listAddresses(source);
  const isPlain = addresses.length > 0 && addresses.every(({ protocol }) => protocol === 'http:');
  return isPlain ? source.refuse(['tls'], 'needs an address with https') : [];
}

/** Set by Rollcall, but the operator may replace them. */
const REPLACEABLE_FIELDS: ReadonlySet<string> = new Set(['accept', 'user-agent']);

/** In the setting that is named here, Rollcall keeps the values out of its messages. */
const SECRET_FIELDS: ReadonlyMap<string, string> = new Map([
  ['authorization', 'credentials'],
  ['cookie', 'credentials'],
  ['proxy-authorization', 'proxy'],
]);

/**
 * Names are tokens, each once whatever its case, and neither set by Rollcall or HTTP itself nor the field of a
 * credential (operation 2.8.18).
 */
function checkRequestHeaders(source: Source): ConfigIssue[] {
  const credentials = [source.at('credentials').at('public'), source.at('credentials').at('members')];
  const ofCredentials = credentials.flatMap((credential) => credential.at('header').value?.name ?? []);
  const fields = source.at('headers').entries();
  const names = fields.map(({ key }) => key.toLowerCase());
  return fields.flatMap((field, at) => {
    const name = names[at] ?? '';
    const isRepeated = names.indexOf(name) < at;
    return field.keyIssue(isRepeated ? 'is the same field as another key' : findFieldProblem(name, ofCredentials));
  });
}

function findFieldProblem(name: string, ofCredentials: readonly string[]): string | undefined {
  if (!isFieldName(name)) return 'is not the name of a header field';
  const setting = SECRET_FIELDS.get(name);
  if (setting !== undefined) return `is secret; use ${setting}`;
  if (TAKEN_FIELDS.has(name) && !REPLACEABLE_FIELDS.has(name)) return 'is a field that Rollcall or HTTP itself sets';
  return ofCredentials.includes(name) ? 'is the field of a credential' : undefined;
}

/** A further property must not have a reserved or known name, nor occur twice at one source (operation 2.8.5). */
function checkProperties(names: readonly Setting<string>[]): ConfigIssue[] {
  return [
    ...names.flatMap((name) => name.issue(name.value && propertyNameError(name.value))),
    ...findDuplicates(names),
  ];
}

/**
 * Further properties of any registration may occur at every source; `-<code>-…` properties only at a source with that
 * code or prefix, and at an aggregate. Credentials must not replace a filter by such a property, nor another parameter
 * that Rollcall sends itself (operation 2.8.12).
 */
export function checkSentNames(source: Source, properties: readonly string[]): ConfigIssue[] {
  const codes = [source.key, ...valuesOf(source.at('prefixes').items())];
  const credentials = [source.at('credentials').at('public'), source.at('credentials').at('members')];
  const isSent = (name: string): boolean => isSentParameter(name) || properties.includes(name);
  const sent = credentials.flatMap((one) => one.at('query').ifValid(({ name }) => isSent(name)));
  return [
    ...checkSupports(source, { codes: source.at('aggregate').value === true ? undefined : codes, properties }),
    ...sent.flatMap((parameter) => parameter.issue('names a parameter that Rollcall sends')),
  ];
}
