import { createHash } from 'node:crypto';
import type { RawRecord } from '../../support/upstream/paged-responses.js';
import { mapDocument } from './document.js';
import type { OracleDocument } from './document.js';
import { readFeedRecords } from './read-feeds.js';
import type { FeedIds } from './read-feeds.js';
import type { OracleFeed } from './feeds.js';
import { CHANNELS, DIRECTORY_TEAMS, PGP_KEY_PROPERTIES, DATA_TEAMS } from './oracle-resources.js';
import type { OracleResource } from './oracle-resources.js';
import { resolveLink, readAny, asList, readText } from './read-value.js';
import type { DisplayedValue } from './read-value.js';
import { byCodePoint, fold } from './text.js';
import { toDirectoryTeam, toDataTeam } from './translate-teams.js';
import type { PropertyValues } from './translate-teams.js';

/** A record as Rollcall shows it, with the further values on which filters and sorts depend. */
export interface OracleRecord {
  /** Breaks ties between records of one source. */
  readonly id: string | number;
  /** Number of the source. */
  readonly number: number;
  /** Properties in output order, without PGP properties. */
  readonly shown: PropertyValues;
  /** Links as their source sent them. */
  readonly written: PropertyValues;
  /** PGP properties. */
  readonly keys: PropertyValues;
  /** Folded titles of the channels of a news item. */
  readonly channels: readonly string[];
  /** Identity that a document gives a team; empty if it gives none. */
  readonly identity: string;
}

/** A registered source with all its records on its interfaces. */
export interface OracleSource {
  readonly code: string;
  readonly number: number;
  readonly sourceName: string;
  readonly aggregate: boolean;
  readonly site: string | undefined;
  readonly directory?: readonly RawRecord[] | undefined;
  readonly data?: OracleDataLists | undefined;
  readonly document?: OracleDocument | undefined;
  /** Feeds instead of interfaces; at least one. */
  readonly feeds?: readonly OracleFeed[] | undefined;
  /** The ids that the gateway gives the records of the feeds. Absent: not known yet. */
  readonly feedIds?: FeedIds | undefined;
}

/** The records of a source on the data interface. */
export interface OracleDataLists {
  readonly teams: readonly RawRecord[];
  readonly news: readonly RawRecord[];
  readonly channels: readonly RawRecord[];
  /**
   * Where PGP properties appear: `public`, in every list; `refused`, in every list, but `scope=pgp` is rejected; `some`, in every list
   * for every other team; `pgp`, under `scope=pgp` only.
   */
  readonly keys: 'public' | 'refused' | 'some' | 'pgp';
}

/** All records of a source for a resource, native or translated from the other interface. */
export function readRecords(
  resource: OracleResource,
  source: OracleSource,
  fleet: readonly OracleSource[],
): OracleRecord[] {
  const { feeds, feedIds, ...owner } = source;
  if (feeds !== undefined) return readFeedRecords(resource, { ...owner, feeds, feedIds });
  const raws = rawsOf(resource, source);
  if (raws !== undefined) return native(resource, raws, { source, fleet });
  const { code, document } = source;
  if (document?.resource === 'news') return [];
  if (resource === DIRECTORY_TEAMS) {
    const teams = readRecords(DATA_TEAMS, source, fleet);
    return teams.map((team) => ({ ...team, shown: toDirectoryTeam(team.shown, team.keys, code), keys: new Map() }));
  }
  if (resource !== DATA_TEAMS) return [];
  return readRecords(DIRECTORY_TEAMS, source, fleet).map((team) => {
    const [keys, shown] = splitKeys(toDataTeam(team.shown, `${code}.${team.id}`, code));
    return { ...team, shown, keys };
  });
}

/** A record as its source sends it, or as a document gives it. */
interface ReceivedRecord {
  readonly record: RawRecord;
  readonly identity: string;
}

/** The records of a source for a resource of its own; undefined where it has none. */
export function rawsOf(
  { name }: OracleResource,
  { directory, data, document }: OracleSource,
): readonly ReceivedRecord[] | undefined {
  if (document !== undefined) return document.resource === name ? mapDocument(document) : undefined;
  const records = name === 'directory' ? directory : data?.[name];
  return records?.map((record) => ({ record, identity: '' }));
}

/** Whether a source has records that are left out because they have no name or no id. */
export function hasNamelessRecords(resource: OracleResource, source: OracleSource): boolean {
  const all = (rawsOf(resource, source) ?? []).map((raw) => readOne(resource, raw, { source, listed: [] }));
  return all.some((one) => !isNamed(resource, one));
}

function isNamed({ names }: OracleResource, { shown, id }: OracleRecord): boolean {
  return names.some((name) => shown.has(name)) && (typeof id === 'string' || Number.isInteger(id));
}

/** Whether a source has teams of the data interface, which are translated to the directory interface. */
export function hasDataTeams({ data, document }: OracleSource): boolean {
  return data !== undefined || document?.resource === 'teams';
}

interface Register {
  readonly source: OracleSource;
  readonly fleet: readonly OracleSource[];
}

function native(resource: OracleResource, raws: readonly ReceivedRecord[], register: Register): OracleRecord[] {
  const { source, fleet } = register;
  const listed =
    resource.name === 'news'
      ? readRecords(CHANNELS, source, fleet).map(({ shown }) => fold(String(shown.get('title'))))
      : [];
  const others = fleet.filter((other) => other !== source).map(({ sourceName }) => fold(sourceName));
  const own = raws
    .map((raw) => readOne(resource, raw, { source, listed }))
    .filter((record) => isNamed(resource, record))
    .filter(({ shown }) => !source.aggregate || !others.includes(fold(String(shown.get('source-name')))));
  return resource.name === 'directory' || resource.name === 'teams' ? withSlugs(resource, own, source) : own;
}

function readOne(
  resource: OracleResource,
  { record: raw, identity }: ReceivedRecord,
  { source, listed }: { source: OracleSource; listed: readonly string[] },
): OracleRecord {
  const { number, site } = source;
  const plain = fieldsOf(resource, raw, source);
  const [keys, shown] = splitKeys(plain);
  const written = new Map(resource.links.flatMap((name) => pair(name, shown.get(name))));
  for (const [name, link] of written) shown.set(name, resolveLink(link, site) ?? link);
  const integer = resource.name === 'news' || resource.name === 'channels';
  const id = integer ? Number(shown.get('id')) * 1000 + number : '';
  if (integer) shown.set('id', id);
  const channels = asList(readAny(raw['channels'])).map((title) => fold(String(title)));
  return { id, number, shown, written, keys, channels: channels.filter((title) => listed.includes(title)), identity };
}

function pair(name: string, value: DisplayedValue | undefined): [string, DisplayedValue][] {
  return value === undefined ? [] : [[name, value]];
}

/** Splits properties into PGP properties and others. */
function splitKeys(fields: PropertyValues): [keys: Map<string, DisplayedValue>, rest: Map<string, DisplayedValue>] {
  return [
    new Map([...fields].filter(([name]) => PGP_KEY_PROPERTIES.has(name))),
    new Map([...fields].filter(([name]) => !PGP_KEY_PROPERTIES.has(name))),
  ];
}

function fieldsOf(
  { table, extra, last }: OracleResource,
  raw: RawRecord,
  { code, sourceName, aggregate }: OracleSource,
): PropertyValues {
  const shown = new Map<string, DisplayedValue>();
  const enter = (name: string, value: DisplayedValue | undefined): void => {
    if (value !== undefined) shown.set(name, value);
  };
  for (const [name, of] of table) {
    enter(name, name === 'source-name' ? ((aggregate ? of(raw[name]) : undefined) ?? sourceName) : of(raw[name]));
  }
  const further = Object.keys(raw).filter((name) => !table.has(name) && !(name === 'last-modified' && last));
  for (const name of further.filter((one) => one !== 'channels' && one !== 'content')) {
    const of = extra.get(name) ?? (extra.size > 0 ? PGP_KEY_PROPERTIES.get(name) : undefined) ?? readAny;
    if (aggregate || !name.startsWith('-') || name.startsWith(`-${code}-`)) enter(name, of(raw[name]));
  }
  enter('last-modified', last?.(raw['last-modified']));
  return shown;
}

/**
 * Assigns ids: the id of the source or the identity in its document, or a slug of the short name; if that is empty or claimed by several
 * records, `~` and a hash (decisions 4.18). Generated records with the same hash are equal, so the order of their counters does not matter.
 */
function withSlugs(resource: OracleResource, teams: readonly OracleRecord[], { code }: OracleSource): OracleRecord[] {
  const claims = withoutCopies(teams).map((team) => ({
    team,
    made: team.identity === '' && !team.shown.has('id'),
    slug: ownSlug(team) ?? slug(String(team.shown.get(resource.names[0]) ?? '')),
    hash: hash(resource, team.shown),
  }));
  claims.sort((a, b) => Number(a.made) - Number(b.made) || byCodePoint(a.hash, b.hash));
  const taken = new Set(claims.map(({ slug: claimed }) => claimed));
  const isAlone = (claimed: string): boolean =>
    claimed !== '' && claims.filter(({ slug: other }) => other === claimed).length === 1;
  return claims.map(({ team, slug: claimed, hash: other }) => {
    const id = isAlone(claimed) ? claimed : free(`~${other}`, taken);
    taken.add(id);
    const shown =
      resource === DATA_TEAMS ? new Map([['id', `${code}.${id}`], ...without(team.shown, 'id')]) : team.shown;
    return { ...team, id, shown };
  });
}

/** Leaves out records of a document that an equal one with the same identity precedes. */
function withoutCopies(teams: readonly OracleRecord[]): readonly OracleRecord[] {
  const keyOf = ({ identity, shown }: OracleRecord): string => JSON.stringify([identity, ...shown]);
  const keys = teams.map(keyOf);
  return teams.filter((team, at) => team.identity === '' || keys.indexOf(keyOf(team)) === at);
}

function ownSlug({ identity, shown }: OracleRecord): string | undefined {
  return identity === '' ? readText(shown.get('id')) : identity;
}

function free(hashed: string, taken: ReadonlySet<string>): string {
  return taken.has(hashed) ? free(/-\d+$/.test(hashed) ? counted(hashed) : `${hashed}-2`, taken) : hashed;
}

function counted(hashed: string): string {
  return hashed.replace(/\d+$/, (count) => String(Number(count) + 1));
}

function without(fields: PropertyValues, property: string): [string, DisplayedValue][] {
  return [...fields].filter(([name]) => name !== property);
}

function slug(name: string): string {
  const words = fold(name).match(/[a-z0-9]+/g);
  return words?.join('-') ?? '';
}

function hash({ names, countries: [country] }: OracleResource, team: PropertyValues): string {
  const facts = [...names, country ?? '', 'email'].map((name) => String(team.get(name) ?? ''));
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 8);
}
