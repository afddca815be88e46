import { createHash } from 'node:crypto';
import type { Config, SourceConfig } from './config.js';
import { configFile } from './schema/config-file.js';
import { listDeciding } from './schema/setting-types.js';
import { source } from './schema/source.js';

/**
 * Hash of the settings by which the same records produce other responses. After a change, persistent fingerprints and
 * change times are not used (operation 2.5.2). Keys, credentials, proxies and header fields must not count: with the
 * hash, which is stored, anybody could test guesses of a short one.
 */
export function fingerprintConfig(config: Config): string {
  const ofSources = config.sources.map((one) => [
    one.code,
    one.origin,
    ...listDeciding(source, one, ['records', 'answers']),
  ]);
  return hash([listDeciding(configFile, config, ['answers']), ofSources]);
}

/**
 * Hash of the settings by which instances may serve a list at different moments, or another list of the same records:
 * instances that differ in it share nothing (operation 2.5.4). No credential is part of it.
 */
export function fingerprintServing(config: Config): string {
  return hash([fingerprintConfig(config), config.sources.map((one) => listDeciding(source, one, ['serving']))]);
}

/** What the records of a source depend on (operation 2.5.3, 6.2), without credentials. */
export interface SourceFingerprints {
  /** Which source it is, and how its records are read. */
  readonly definition: string;
  /** Other sources and settings that decide which records and properties are kept. */
  readonly context: string;
}

export interface FingerprintedSource {
  readonly source: SourceConfig;
  readonly fingerprints: SourceFingerprints;
}

export function fingerprintSources(sources: readonly SourceConfig[]): readonly FingerprintedSource[] {
  const longerCodes = findLongerCodes(sources);
  const properties = [...new Set(sources.flatMap((source) => source.properties))].sort();
  return sources.map((source) => {
    const { code, aggregate } = source;
    const others = aggregate ? sources.filter((other) => other.code !== code) : [];
    const otherSourceNames = others.map(({ sourceName }) => sourceName).sort();
    const context = hash([longerCodes.get(code)?.sort(), properties, otherSourceNames]);
    return { source, fingerprints: { definition: fingerprintDefinition(source), context } };
  });
}

function fingerprintDefinition(one: SourceConfig): string {
  return hash([
    ...[one.code, ...listDeciding(source, one, ['records'])],
    // Without a credential, or with one, a source may give other records. The credential itself must not count, see above.
    one.credentials.public !== undefined,
    // Each feed is saved by its URL, and keeps what it had when another one is added.
    one.origin.kind === 'feed' ? one.origin.kind : one.origin,
  ]);
}

/**
 * Codes and prefixes of other sources that begin with one of a source's own, by its code. A property `-a-b-c` belongs
 * to the code `a-b` where that is registered, otherwise to `a`.
 */
function findLongerCodes(sources: readonly SourceConfig[]): ReadonlyMap<string, string[]> {
  const names = sources.flatMap(({ code: owner, prefixes }) => [owner, ...prefixes].map((name) => ({ name, owner })));
  const owners = new Map(names.map(({ name }): [string, Set<string>] => [name, new Set()]));
  for (const { name, owner } of names) owners.get(name)?.add(owner);
  const longer = new Map(sources.map(({ code }): [string, string[]] => [code, []]));
  for (const { name, owner } of names) {
    const words = name.split('-');
    const shorter = words.flatMap((_, at) => [...(owners.get(words.slice(0, at).join('-')) ?? [])]);
    for (const other of new Set(shorter)) if (other !== owner) longer.get(other)?.push(name);
  }
  return longer;
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
