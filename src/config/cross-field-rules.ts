import { RESERVED_CODE } from '../model/resource.js';
import { foldText } from '../text/text-folding.js';
import {
  type ConfigPath,
  type ConfigNode,
  entryPathsAt,
  itemPathsAt,
  keyOffsetOf,
  nodeAt,
  toPlainValue,
} from './yaml/config-node.js';
import { type ConfigIssue, formatPath } from './yaml/config-error.js';
import { propertyNameError } from './check-property-name.js';
import {
  type LocatedValue,
  childPaths,
  describeLocation,
  findDuplicates,
  readField,
  readFields,
} from './located-value.js';
import { fields } from './schema/config-file-schema.js';
import { checkRequestHeaders } from './connection/request-header-rules.js';
import { checkConnectionSettings } from './connection/source-addresses.js';
import { checkCredentials } from './credential-rules.js';
import { checkPublishedDocument } from './document/published-document-rules.js';
import { checkFeeds } from './feed/feed-rules.js';
import { checkSharedMemory } from './shared-memory-rules.js';
import { checkSupports } from './supports-rules.js';

/**
 * Checks rules between settings, whatever other errors the file has (decisions 1.1; operation 2.8.10, 2.8.12, 2.8.14,
 * 2.8.18).
 */
export function checkCrossFieldRules(root: ConfigNode): ConfigIssue[] {
  const sources = entryPathsAt(root, ['sources']);
  return [
    ...[...sources, ...entryPathsAt(root, ['samples'])].flatMap((path) => checkCode(root, path)),
    ...findDuplicates(readFields(root, childPaths(sources, 'number'), fields.number)),
    ...checkNames(root, sources),
    ...checkPrefixes(root, sources),
    ...sources.flatMap((path) => checkInterfaces(root, path)),
    ...sources.flatMap((path) => checkPublishedDocument(root, path)),
    ...sources.flatMap((path) => checkFeeds(root, path)),
    ...sources.flatMap((path) => checkConnectionSettings(root, path)),
    ...sources.flatMap((path) => checkRequestHeaders(root, path)),
    ...sources.flatMap((path) => checkProperties(root, path)),
    ...checkSentNames(root, sources),
    ...checkListeners(root),
    ...checkLimits(root),
    ...checkSharedMemory(root),
  ];
}

function checkCode(root: ConfigNode, path: ConfigPath): ConfigIssue[] {
  const offset = keyOffsetOf(root, path);
  const parsed = fields.code.safeParse(path.at(-1));
  if (!parsed.success) return [{ path, offset, message: 'the key must be a code: [a-z][a-z0-9-]*' }];
  return parsed.data === RESERVED_CODE ? [{ path, offset, message: RESERVED_CODE_MESSAGE }] : [];
}

/** Properties of this form are those of this gateway itself (decisions 4.18). */
const RESERVED_CODE_MESSAGE = `the code ${RESERVED_CODE} is reserved for this gateway`;

/** Without `known`, any name is accepted. */
export function checkSamples(root: ConfigNode, known: readonly string[] | undefined): ConfigIssue[] {
  if (known === undefined) return [];
  const unknown = entryPathsAt(root, ['samples']).filter((path) => !known.includes(String(path.at(-1))));
  const message = `is not a sample repository; known: ${known.join(', ')}`;
  return unknown.map((path) => ({ path, offset: keyOffsetOf(root, path), message }));
}

function checkNames(root: ConfigNode, sources: readonly ConfigPath[]): ConfigIssue[] {
  const names = readFields(root, childPaths(sources, 'source-name'), fields.sourceName).map(foldValue);
  return [...names.flatMap((name) => checkCodeConflict(name, sources)), ...findDuplicates(names)];
}

function checkPrefixes(root: ConfigNode, sources: readonly ConfigPath[]): ConfigIssue[] {
  const items = childPaths(sources, 'prefixes').flatMap((path) => itemPathsAt(root, path));
  return readFields(root, items, fields.code).flatMap((prefix) => {
    const { path, offset, value } = prefix;
    return value === RESERVED_CODE
      ? [{ path, offset, message: RESERVED_CODE_MESSAGE }]
      : checkCodeConflict(prefix, sources);
  });
}

function checkCodeConflict(
  { path, offset: at, value }: LocatedValue<string>,
  sources: readonly ConfigPath[],
): ConfigIssue[] {
  const owner = sources.find(([, code]) => code === value && code !== path[1]);
  return owner === undefined ? [] : [{ path, offset: at, message: `is the code of ${formatPath(owner)}` }];
}

/** A source needs an interface. Only the data interface has news, channels and PGP keys (operation 2.8.2, 2.8.8). */
function checkInterfaces(root: ConfigNode, path: ConfigPath): ConfigIssue[] {
  const isPresent = (key: string): boolean => nodeAt(root, [...path, key]) !== undefined;
  const at = keyOffsetOf(root, path);
  if (isPresent('document') || isPresent('feed')) return [];
  if (!isPresent('directory') && !isPresent('data'))
    return [{ path, offset: at, message: 'needs directory, data or both, or a document or feed' }];
  if (isPresent('data')) return [];
  const message = 'is only on the data interface';
  const items = itemPathsAt(root, [...path, 'resources']).filter(
    (item) => toPlainValue(nodeAt(root, item)) !== 'teams',
  );
  const keys = isPresent('all-keys-public') ? [[...path, 'all-keys-public']] : [];
  return [
    ...items.map((item) => ({ path: item, offset: nodeAt(root, item)?.offset ?? at, message })),
    ...keys.map((key) => ({ path: key, offset: keyOffsetOf(root, key), message })),
  ];
}

/**
 * A further property must not have a reserved or known name, and must not occur twice at one source (operation 2.8.5).
 */
function checkProperties(root: ConfigNode, source: ConfigPath): ConfigIssue[] {
  const names = readFields(root, itemPathsAt(root, [...source, 'properties']), fields.property);
  const taken = names.flatMap(({ path, offset: at, value }) => {
    const message = propertyNameError(value);
    return message === undefined ? [] : [{ path, offset: at, message }];
  });
  return [...taken, ...findDuplicates(names)];
}

/**
 * Properties of any registration may occur at every source; `-<code>-…` properties only at a source with that code or
 * prefix, and at an aggregate. Credentials must not replace a filter by such a property.
 */
function checkSentNames(root: ConfigNode, sources: readonly ConfigPath[]): ConfigIssue[] {
  const items = (paths: readonly ConfigPath[], key: string): ConfigPath[] =>
    childPaths(paths, key).flatMap((path) => itemPathsAt(root, path));
  const properties = readFields(root, items(sources, 'properties'), fields.property).map(({ value }) => value);
  return sources.flatMap((path) => {
    const [aggregate] = readField(root, [...path, 'aggregate'], fields.aggregate);
    const prefixes = readFields(root, items([path], 'prefixes'), fields.code).map(({ value }) => value);
    const codes = aggregate?.value === true ? undefined : [String(path.at(-1)), ...prefixes];
    return [...checkSupports(root, path, { codes, properties }), ...checkCredentials(root, path, properties)];
  });
}

function checkListeners(root: ConfigNode): ConfigIssue[] {
  const listeners = [
    ...readField(root, ['server', 'port'], fields.serverPort),
    ...readField(root, ['admin', 'port'], fields.adminPort),
    ...readFields(root, entryPathsAt(root, ['samples']), fields.samplePort),
  ];
  return findDuplicates(listeners.filter(({ value }) => value !== 0));
}

function checkLimits(root: ConfigNode): ConfigIssue[] {
  return checkAtMost(
    readField(root, ['server', 'limit', 'default'], fields.limitDefault),
    readField(root, ['server', 'limit', 'max'], fields.limitMax),
  );
}

/** The first value must not exceed the second. If the first is a default, the error is reported for the second. */
function checkAtMost([less]: readonly LocatedValue<number>[], [more]: readonly LocatedValue<number>[]): ConfigIssue[] {
  if (less === undefined || more === undefined || less.value <= more.value) return [];
  if (less.offset < 0) return [{ ...more, message: `is less than ${describeLocation(less)}` }];
  return [{ ...less, message: `is more than ${describeLocation(more)}` }];
}

function foldValue(name: LocatedValue<string>): LocatedValue<string> {
  return { ...name, value: foldText(name.value) };
}
