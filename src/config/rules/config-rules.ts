import { isDeepStrictEqual } from 'node:util';
import { RESERVED_CODE } from '../../model/resource.js';
import { foldText } from '../../text/text-folding.js';
import type { ConfigFile, RegisteredSource } from '../schema/config-file.js';
import { code } from '../schema/values.js';
import { type Setting, findDuplicates, valuesOf } from '../setting.js';
import { type ConfigIssue, formatPath } from '../yaml/config-node.js';
import type { DocumentFileCheck, Environment } from '../yaml/expand-variables.js';
import { checkDocumentFiles } from './document-rules.js';
import { checkEnvironmentProxies } from './connection-rules.js';
import { checkSentNames, checkSource } from './source-rules.js';

export interface RuleContext {
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

type Sources = readonly Setting<RegisteredSource>[];

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
