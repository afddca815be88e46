import { fold } from '../text/fold.js';
import { type Path, type YamlNode, entriesAt, itemsAt, keyOffsetOf, nodeAt, toPlain } from './node.js';
import { type Finding, writePath } from './positions.js';
import { faultOfProperty } from './properties.js';
import { type Field, fields } from './schema.js';
import { checkSupports } from './supports.js';

/** A value that its own key has nothing against. */
interface Found<T> {
  readonly path: Path;
  /** -1 for a default, which is not written. */
  readonly at: number;
  readonly value: T;
}

/**
 * What is wrong between several keys, whatever else is wrong with them: numbers and names that are not unique
 * (decisions.md, section 1), prefixes that are another source's code (section 4), listeners that share a port, limits
 * that contradict each other; keys that are no codes; properties whose names are taken; and capabilities that no source can have.
 */
export function checkRules(root: YamlNode): Finding[] {
  const sources = entriesAt(root, ['sources']);
  return [
    ...[...sources, ...entriesAt(root, ['samples'])].flatMap((path) => checkCode(root, path)),
    ...repeated(readAll(root, within(sources, 'number'), fields.number)),
    ...checkNames(root, sources),
    ...checkPrefixes(root, sources),
    ...sources.flatMap((path) => checkInterfaces(root, path)),
    ...sources.flatMap((path) => checkProperties(root, path)),
    ...checkCapabilities(root, sources),
    ...checkPaths(root),
    ...checkListeners(root),
    ...checkLimits(root),
  ];
}

function checkCode(root: YamlNode, path: Path): Finding[] {
  const parsed = fields.code.safeParse(path.at(-1));
  return parsed.success
    ? []
    : [{ path, at: keyOffsetOf(root, path), message: 'the key must be a code: [a-z][a-z0-9-]*' }];
}

/** A sample repository that there is not could not be started. */
export function checkSamples(root: YamlNode, known: readonly string[] | undefined): Finding[] {
  if (known === undefined) return [];
  const unknown = entriesAt(root, ['samples']).filter((path) => !known.includes(String(path.at(-1))));
  const message = `is no sample repository; there are ${known.join(', ')}`;
  return unknown.map((path) => ({ path, at: keyOffsetOf(root, path), message }));
}

function checkNames(root: YamlNode, sources: readonly Path[]): Finding[] {
  const names = readAll(root, within(sources, 'source-name'), fields.sourceName).map(folded);
  return [...names.flatMap((name) => codeOfOther(name, sources)), ...repeated(names)];
}

function checkPrefixes(root: YamlNode, sources: readonly Path[]): Finding[] {
  const items = within(sources, 'prefixes').flatMap((path) => itemsAt(root, path));
  return readAll(root, items, fields.code).flatMap((prefix) => codeOfOther(prefix, sources));
}

function codeOfOther({ path, at, value }: Found<string>, sources: readonly Path[]): Finding[] {
  const owner = sources.find(([, code]) => code === value && code !== path[1]);
  return owner === undefined ? [] : [{ path, at, message: `is the code of ${writePath(owner)}` }];
}

/** A source without an interface could not be asked; news and channels only the data interface has. */
function checkInterfaces(root: YamlNode, path: Path): Finding[] {
  const written = (key: string): boolean => nodeAt(root, [...path, key]) !== undefined;
  const at = keyOffsetOf(root, path);
  if (!written('directory') && !written('data')) return [{ path, at, message: 'needs directory, data or both' }];
  if (written('data')) return [];
  const message = 'is only on the data interface';
  const items = itemsAt(root, [...path, 'resources']).filter((item) => toPlain(nodeAt(root, item)) !== 'teams');
  const keys = written('all-keys-public') ? [[...path, 'all-keys-public']] : [];
  return [
    ...items.map((item) => ({ path: item, at: nodeAt(root, item)?.at ?? at, message })),
    ...keys.map((key) => ({ path: key, at: keyOffsetOf(root, key), message })),
  ];
}

/** Further properties of a source: none that is there already, and none twice. Other sources may have the same. */
function checkProperties(root: YamlNode, source: Path): Finding[] {
  const names = readAll(root, itemsAt(root, [...source, 'properties']), fields.property);
  const taken = names.flatMap(({ path, at, value }) => {
    const message = faultOfProperty(value);
    return message === undefined ? [] : [{ path, at, message }];
  });
  return [...taken, ...repeated(names)];
}

/** Properties that any registration names may be at any source; those with a code only where they may come from. */
function checkCapabilities(root: YamlNode, sources: readonly Path[]): Finding[] {
  const items = (paths: readonly Path[], key: string): Path[] =>
    within(paths, key).flatMap((path) => itemsAt(root, path));
  const properties = readAll(root, items(sources, 'properties'), fields.property).map(({ value }) => value);
  return sources.flatMap((path) => {
    const [aggregate] = read(root, [...path, 'aggregate'], fields.aggregate);
    const prefixes = readAll(root, items([path], 'prefixes'), fields.code).map(({ value }) => value);
    const codes = aggregate?.value === true ? undefined : [String(path.at(-1)), ...prefixes];
    return checkSupports(root, path, { codes, properties });
  });
}

/** Two interfaces at one address could not be told apart. */
function checkPaths(root: YamlNode): Finding[] {
  return repeated([
    ...read(root, ['server', 'directory-path'], fields.directoryPath),
    ...read(root, ['server', 'data-path'], fields.dataPath),
  ]);
}

function checkListeners(root: YamlNode): Finding[] {
  const listeners = [
    ...read(root, ['server', 'port'], fields.serverPort),
    ...read(root, ['admin', 'port'], fields.adminPort),
    ...readAll(root, entriesAt(root, ['samples']), fields.samplePort),
  ];
  return repeated(listeners.filter(({ value }) => value !== 0));
}

/** A default limit above the maximum; a head that may come later than the request that it belongs to. */
function checkLimits(root: YamlNode): Finding[] {
  const timeout = (name: string): Path => ['server', 'limits', name];
  return [
    ...checkOrder(
      read(root, ['server', 'limit', 'default'], fields.limitDefault),
      read(root, ['server', 'limit', 'max'], fields.limitMax),
    ),
    ...checkOrder(
      read(root, timeout('header-timeout'), fields.headerTimeout),
      read(root, timeout('request-timeout'), fields.requestTimeout),
    ),
  ];
}

/** The first value must not be more than the second one; where the first is a default, the finding is of the second. */
function checkOrder([less]: readonly Found<number>[], [more]: readonly Found<number>[]): Finding[] {
  if (less === undefined || more === undefined || less.value <= more.value) return [];
  if (less.at < 0) return [{ ...more, message: `is less than ${nameOf(less)}` }];
  return [{ ...less, message: `is more than ${nameOf(more)}` }];
}

/** The later one of two equal values, in the order of the file, is told. */
function repeated<T>(found: readonly Found<T>[]): Finding[] {
  const first = new Map<T, Found<T>>();
  return [...found]
    .sort((a, b) => a.at - b.at)
    .flatMap((item) => {
      const earlier = first.get(item.value);
      if (earlier !== undefined) return [{ ...item, message: `is the same as ${nameOf(earlier)}` }];
      first.set(item.value, item);
      return [];
    });
}

/** A written value may come from a variable and be secret, so that only a default is told. */
function nameOf({ path, at, value }: Found<unknown>): string {
  return at < 0 ? `${writePath(path)} (by default ${String(value)})` : writePath(path);
}

function folded(name: Found<string>): Found<string> {
  return { ...name, value: fold(name.value) };
}

function within(paths: readonly Path[], key: string): Path[] {
  return paths.map((path) => [...path, key]);
}

function readAll<T>(root: YamlNode, paths: readonly Path[], field: Field<T>): Found<T>[] {
  return paths.flatMap((path) => read(root, path, field));
}

/** None when the value is missing without a default, or not acceptable: then the schema tells it. */
function read<T>(root: YamlNode, path: Path, field: Field<T>): Found<T>[] {
  const node = nodeAt(root, path);
  const parsed = field.safeParse(toPlain(node));
  return parsed.success ? [{ path, at: node?.at ?? -1, value: parsed.data }] : [];
}
