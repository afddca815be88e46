import { createHash } from 'node:crypto';
import type { Raw } from '../support/paging.js';
import { CHANNELS, DIRECTORY, KEYS, TEAMS } from './nouns.js';
import type { Noun } from './nouns.js';
import { absolute, any, items, text } from './read-value.js';
import type { Shown } from './read-value.js';
import { byCodePoint, fold } from './text.js';
import { asDirectory, asTeam } from './translating.js';
import type { Fields } from './translating.js';

/** A record as it is shown, with what else decides whether and where. */
export interface Entry {
  /** Decides among equals of one source. */
  readonly id: string | number;
  readonly number: number;
  /** Keys in the order in which they are shown; no PGP keys. */
  readonly shown: Fields;
  /** Links as their source wrote them. */
  readonly written: Fields;
  readonly keys: Fields;
  /** Folded titles of the channels that a news item is in. */
  readonly channels: readonly string[];
}

/** A registered source and all that it has, on the interfaces that it speaks. */
export interface Member {
  readonly code: string;
  readonly number: number;
  readonly sourceName: string;
  readonly aggregate: boolean;
  readonly site: string | undefined;
  readonly directory?: readonly Raw[] | undefined;
  readonly data?: Data | undefined;
}

/** What a source has on the data interface. */
export interface Data {
  readonly teams: readonly Raw[];
  readonly news: readonly Raw[];
  readonly channels: readonly Raw[];
  /** Where it shows PGP keys: `refused` is to everybody, but not to who asks for them; of `some` teams those of every other one. */
  readonly keys: 'public' | 'refused' | 'some' | 'pgp';
}

/** All that a source has of a resource, natively or translated from the other interface. */
export function read(noun: Noun, source: Member, fleet: readonly Member[]): Entry[] {
  const raws = rawsOf(noun, source);
  if (raws !== undefined) return native(noun, raws, { source, fleet });
  const { code } = source;
  if (noun === DIRECTORY) {
    const teams = read(TEAMS, source, fleet);
    return teams.map((team) => ({ ...team, shown: asDirectory(team.shown, team.keys, code), keys: new Map() }));
  }
  if (noun !== TEAMS) return [];
  return read(DIRECTORY, source, fleet).map((team) => {
    const [keys, shown] = apart(asTeam(team.shown, `${code}.${team.id}`, code));
    return { ...team, shown, keys };
  });
}

function rawsOf({ name }: Noun, { directory, data }: Member): readonly Raw[] | undefined {
  return name === 'directory' ? directory : data?.[name];
}

interface Register {
  readonly source: Member;
  readonly fleet: readonly Member[];
}

function native(noun: Noun, raws: readonly Raw[], register: Register): Entry[] {
  const { source, fleet } = register;
  const listed =
    noun.name === 'news' ? read(CHANNELS, source, fleet).map(({ shown }) => fold(String(shown.get('title')))) : [];
  const others = fleet.filter((other) => other !== source).map(({ sourceName }) => fold(sourceName));
  const own = raws
    .map((raw) => readOne(noun, raw, { source, listed }))
    .filter(({ shown }) => noun.names.some((name) => shown.has(name)))
    .filter(({ shown }) => !source.aggregate || !others.includes(fold(String(shown.get('source-name')))));
  return noun.name === 'directory' || noun.name === 'teams' ? withSlugs(noun, own, source) : own;
}

function readOne(noun: Noun, raw: Raw, { source, listed }: { source: Member; listed: readonly string[] }): Entry {
  const { number, site } = source;
  const plain = fieldsOf(noun, raw, source);
  const [keys, shown] = apart(plain);
  const written = new Map(noun.links.flatMap((name) => pair(name, shown.get(name))));
  for (const [name, link] of written) shown.set(name, absolute(link, site) ?? link);
  const integer = noun.name === 'news' || noun.name === 'channels';
  const id = integer ? Number(shown.get('id')) * 1000 + number : '';
  if (integer) shown.set('id', id);
  const channels = items(any(raw['channels'])).map((title) => fold(String(title)));
  return { id, number, shown, written, keys, channels: channels.filter((title) => listed.includes(title)) };
}

function pair(name: string, value: Shown | undefined): [string, Shown][] {
  return value === undefined ? [] : [[name, value]];
}

/** What holds keys, and the rest. */
function apart(fields: Fields): [keys: Map<string, Shown>, rest: Map<string, Shown>] {
  return [
    new Map([...fields].filter(([name]) => KEYS.has(name))),
    new Map([...fields].filter(([name]) => !KEYS.has(name))),
  ];
}

function fieldsOf({ table, extra, last }: Noun, raw: Raw, { code, sourceName, aggregate }: Member): Fields {
  const shown = new Map<string, Shown>();
  const enter = (name: string, value: Shown | undefined): void => {
    if (value !== undefined) shown.set(name, value);
  };
  for (const [name, of] of table) {
    enter(name, name === 'source-name' ? ((aggregate ? of(raw[name]) : undefined) ?? sourceName) : of(raw[name]));
  }
  const further = Object.keys(raw).filter((name) => !table.has(name) && !(name === 'last-modified' && last));
  for (const name of further.filter((one) => one !== 'channels' && one !== 'content')) {
    const of = extra.get(name) ?? (extra.size > 0 ? KEYS.get(name) : undefined) ?? any;
    if (aggregate || !name.startsWith('-') || name.startsWith(`-${code}-`)) enter(name, of(raw[name]));
  }
  enter('last-modified', last?.(raw['last-modified']));
  return shown;
}

/**
 * The source's own id, or a slug of the short name; where it is empty or taken, `~` and a hash. Of several that claim a slug, those
 * whose own it is come first, then the one whose hash is lowest. Records that are alike in all that the hash covers are alike in
 * everything here, so it does not matter which is which.
 */
function withSlugs(noun: Noun, teams: readonly Entry[], { code }: Member): Entry[] {
  const claims = teams.map((team) => ({
    team,
    made: !team.shown.has('id'),
    slug: text(team.shown.get('id')) ?? slug(String(team.shown.get(noun.names[0]) ?? '')),
    hash: hash(noun, team.shown),
  }));
  claims.sort((a, b) => Number(a.made) - Number(b.made) || byCodePoint(a.hash, b.hash));
  const taken = new Set(['']);
  const first = claims.map(({ slug: claimed }) => taken.size < taken.add(claimed).size);
  return claims.map(({ team, slug: claimed, hash: other }, at) => {
    const id = first[at] === true ? claimed : free(`~${other}`, taken);
    taken.add(id);
    const shown = noun === TEAMS ? new Map([['id', `${code}.${id}`], ...without(team.shown, 'id')]) : team.shown;
    return { ...team, id, shown };
  });
}

function free(hashed: string, taken: ReadonlySet<string>): string {
  return taken.has(hashed) ? free(/-\d+$/.test(hashed) ? counted(hashed) : `${hashed}-2`, taken) : hashed;
}

function counted(hashed: string): string {
  return hashed.replace(/\d+$/, (count) => String(Number(count) + 1));
}

function without(fields: Fields, property: string): [string, Shown][] {
  return [...fields].filter(([name]) => name !== property);
}

function slug(name: string): string {
  const words = fold(name).match(/[a-z0-9]+/g);
  return words?.join('-') ?? '';
}

function hash({ names, countries: [country] }: Noun, team: Fields): string {
  const facts = [...names, country ?? '', 'email'].map((name) => String(team.get(name) ?? ''));
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 8);
}
