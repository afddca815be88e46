import { isDeepStrictEqual } from 'node:util';
import { RESERVED_CODE } from '../../model/resource.js';
import { foldText } from '../../text/text-folding.js';
import type { ConfigFile, RegisteredSource } from '../schema/config-file.js';
import { TAKEN_FIELDS, isFieldName } from '../schema/source.js';
import { code } from '../schema/values.js';
import { type Setting, findDuplicates, valuesOf } from '../setting.js';
import { type ConfigIssue, formatPath } from '../yaml/config-node.js';
import type { DocumentFileCheck, Environment } from '../yaml/expand-variables.js';
import { checkEnvironmentProxies, findOtherOrigins, listAddresses } from './connection-rules.js';
import { checkDocument, checkDocumentFiles } from './document-rules.js';
import { checkSupports, isSentParameter, propertyNameError } from './property-rules.js';

interface RuleContext {
  readonly environment: Environment;
  /** Absent: files of documents are not checked. */
  readonly findFileProblem?: DocumentFileCheck | undefined;
  /** The available samples. Absent: any name is accepted. */
  readonly samples: readonly string[] | undefined;
}

/** Rules between settings, which are checked whatever other errors the file has (decisions 1.1; operation 2). */
export function checkRules(file: Setting<ConfigFile>, context: RuleContext): ConfigIssue[] {
  const sources = file.at('sources').entries();
  const samples = file.at('samples').entries();
  const further = sources.flatMap((source) => valuesOf(source.at('properties').items()));
  return [
    ...[...sources, ...samples].flatMap(checkCode),
    ...findDuplicates(sources.map((source) => source.at('number'))),
    ...checkNames(sources),
    ...sources.flatMap((source) => source.at('prefixes').items()).flatMap((prefix) => checkPrefix(prefix, sources)),
    ...sources.flatMap(checkSource),
    ...sources.flatMap((source) => checkSentNames(source, further)),
    ...checkListeners(file),
    ...checkLimits(file.at('server').at('limit')),
    ...checkSharedMemory(file.at('cache')),
    ...checkClients(file.at('access').at('clients').items()),
    // `__proto__` is no key of a record: the claim would be left out, and every token would satisfy it.
    ...file.at('access').at('issuer').at('membersClaim').refuse(['__proto__'], 'is not the name of a claim'),
    ...samples.flatMap((sample) => checkSample(sample, context.samples)),
    ...sources.flatMap((source) => checkEnvironmentProxies(source, context.environment)),
    ...sources.flatMap((source) => checkDocumentFiles(source.at('document'), context.findFileProblem)),
  ];
}

/** Properties of this form are those of this gateway itself (decisions 4.18). */
const RESERVED_CODE_MESSAGE = `the code ${RESERVED_CODE} is reserved for this gateway`;

function checkCode(setting: Setting<unknown>): ConfigIssue[] {
  if (!code.safeParse(setting.key).success) return setting.keyIssue('the key must be a code: [a-z][a-z0-9-]*');
  return setting.key === RESERVED_CODE ? setting.keyIssue(RESERVED_CODE_MESSAGE) : [];
}

type Source = Setting<RegisteredSource>;
type Sources = readonly Source[];

function checkNames(sources: Sources): ConfigIssue[] {
  const names = sources.map((source) => source.at('sourceName'));
  const conflicts = names.flatMap((name) => checkCodeConflict(name, name.value && foldText(name.value), sources));
  return [...conflicts, ...findDuplicates(names, (name) => name && foldText(name))];
}

function checkPrefix(prefix: Setting<string>, sources: Sources): ConfigIssue[] {
  return prefix.value === RESERVED_CODE
    ? prefix.issue(RESERVED_CODE_MESSAGE)
    : checkCodeConflict(prefix, prefix.value, sources);
}

function checkCodeConflict(setting: Setting<unknown>, value: string | undefined, sources: Sources): ConfigIssue[] {
  const owner = sources.find(({ key }) => key === value && key !== setting.path[1]);
  return owner === undefined ? [] : setting.issue(`is the code of ${formatPath(owner.path)}`);
}

function checkListeners(file: Setting<ConfigFile>): ConfigIssue[] {
  const ports = [file.at('server').at('port'), file.at('admin').at('port'), ...file.at('samples').entries()];
  return findDuplicates(ports.filter(({ value }) => value !== 0));
}

/** If the default is not in the file, the error is reported for the maximum. */
function checkLimits(limit: Setting<ConfigFile['server']['limit']>): ConfigIssue[] {
  const [less, more] = [limit.at('default'), limit.at('max')];
  if (less.value === undefined || more.value === undefined || less.value <= more.value) return [];
  return less.isPresent ? less.issue(`is more than ${more.describe()}`) : more.issue(`is less than ${less.describe()}`);
}

/** (operation 2.5.4) */
function checkSharedMemory(cache: Setting<ConfigFile['cache']>): ConfigIssue[] {
  const key = cache.at('redisKey');
  return cache.at('redis').isPresent || key.value === undefined ? [] : key.issue('requires cache.redis');
}

type Client = Setting<ConfigFile['access']['clients'][number]>;

/** The one in use, and the one that replaces it (operation 2.6.2). */
const MAX_KEYS = 2;

/** Each key belongs to one entry, and the entries of a client have the same access level and rate. */
function checkClients(clients: readonly Client[]): ConfigIssue[] {
  const named = clients.filter((client) => client.at('name').value !== undefined);
  const shared = named.flatMap((client, at) => {
    const name = client.at('name');
    const earlier = named.slice(0, at).filter((other) => other.at('name').value === name.value);
    const [first] = earlier;
    if (first === undefined) return [];
    if (earlier.length < MAX_KEYS)
      return (['access', 'rate'] as const).flatMap((key) => checkEqual(client.at(key), first.at(key)));
    const paths = earlier.map((other) => formatPath(other.at('name').path)).join(' and ');
    return name.issue(`is the same as ${paths}; a client has at most two keys`);
  });
  return [...shared, ...findDuplicates(clients.map((client) => client.at('keySha256')))];
}

/** An invalid value, and one that is required and missing, has another error already. */
function checkEqual(one: Setting<unknown>, first: Setting<unknown>): ConfigIssue[] {
  const hasError = [one, first].some(
    ({ isPresent, value, key }) => value === undefined && (isPresent || key === 'access'),
  );
  if (hasError || isDeepStrictEqual(one.value, first.value)) return [];
  return one.issue(`must be the same as ${formatPath(first.path)}, because both keys are of one client`);
}

function checkSample(sample: Setting<number>, known: readonly string[] | undefined): ConfigIssue[] {
  return known === undefined || known.includes(sample.key)
    ? []
    : sample.keyIssue(`is not a sample repository; known: ${known.join(', ')}`);
}

/** Rules between the settings of one source. */
function checkSource(source: Source): ConfigIssue[] {
  const properties = source.at('properties').items();
  return [
    ...checkInterfaces(source),
    ...checkDocument(source),
    ...checkFeeds(source),
    ...checkConnectionSettings(source),
    ...checkRequestHeaders(source),
    ...properties.flatMap((name) => name.check(propertyNameError)),
    ...findDuplicates(properties),
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
    ...addresses.flatMap((address) => address.check(findSecret)),
  ];
}

/** Names of query parameters that usually hold a secret. */
const SECRET_PARAMETER =
  /^(?:(?:access|auth|api|private|user)?[_-]?(?:key|token)|auth|sig|signature|secret|pass(?:word|wd)?|pwd)$/i;

/** The address of a feed is published with its channel (decisions 4.32.2), so a secret must not be in it. */
function findSecret(address: string): string | undefined {
  const name = [...new URL(address).searchParams.keys()].find((one) => SECRET_PARAMETER.test(one));
  return (
    name &&
    `has the parameter ${name}, and clients see the address as rss of its channel; a secret belongs into ` +
      `credentials: { public: { query: "${name}=…" } }`
  );
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
  const ofCredentials = listCredentials(source).flatMap((credential) => credential.at('header').value?.name ?? []);
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

/**
 * Further properties of any registration may occur at every source; `-<code>-…` properties only at a source with that
 * code or prefix, and at an aggregate. Credentials must not replace a filter by such a property, nor another parameter
 * that Rollcall sends itself (operation 2.8.12).
 */
function checkSentNames(source: Source, properties: readonly string[]): ConfigIssue[] {
  const codes = [source.key, ...valuesOf(source.at('prefixes').items())];
  const findProblem = ({ name }: { readonly name: string }): string | undefined =>
    isSentParameter(name) || properties.includes(name) ? 'names a parameter that Rollcall sends' : undefined;
  return [
    ...checkSupports(source, source.at('aggregate').value === true ? undefined : codes, properties),
    ...listCredentials(source).flatMap((one) => one.at('query').check(findProblem)),
  ];
}

function listCredentials(source: Source): readonly Setting<RegisteredSource['credentials']['public']>[] {
  return [source.at('credentials').at('public'), source.at('credentials').at('members')];
}
