import { formatPropertyPath } from '../../source/dialect/document/property-path.js';
import type { PropertyPath } from '../../source/dialect/document/property-path.js';
import { foldText } from '../../text/text-folding.js';

/** A draft of `document.map` (operation 2.8.16), to be edited. */
export interface ProposedMapping {
  /** Absent: teams. */
  readonly resource?: 'news';
  /** Expressions by property. Empty where none is recognised that such a list must have. */
  readonly map: ReadonlyMap<string, string>;
  /** The list in an entry that has the names of teams, as an expression. */
  readonly nested?: string;
  /** As expressions: what entries have besides. */
  readonly unused: readonly string[];
}

/** Scalars that an entry has at the same place, through lists too. */
interface Place {
  /** Lists are passed through, as of `emails[].address`. */
  readonly expression: string;
  readonly isListed: boolean;
  /** Last name, and all names, folded to letters and digits. */
  readonly name: string;
  readonly names: string;
  readonly values: readonly string[];
}

interface PropertyRule {
  readonly property: string;
  /** Of the last name of a place; where it holds for none, of all its names. */
  readonly name: RegExp;
  readonly value?: RegExp;
  /** Of several values; absent: the first is taken. */
  readonly several?: 'kept' | 'joined';
}

/** Entries that are looked at. */
const MAX_ENTRIES = 200;

/** Names in each other. */
const MAX_DEPTH = 4;

/** Of one entry. */
const MAX_PLACES = 200;

const TEAM_RULES: readonly PropertyRule[] = [
  {
    property: 'short-team-name',
    name: /^(short(team)?name|shortname|team|acronym|abbreviation|abbr|kurzel|kurzname)$/,
  },
  {
    property: 'official-team-name',
    name: /^(official(team)?name|fullname|longname|teamfull|teamname|organi[sz]ationname|programname|displayname|name|title|organi[sz]ation|company|agency)$/,
  },
  { property: 'host', name: /^(host|hostorgani[sz]ation|hosting|parent|parentorgani[sz]ation)$/ },
  {
    property: 'country-code',
    name: /^(country(code|name)?|iso31661?(code|alpha2)?|nationality|land|cc)$|country(code|name)?$/,
  },
  {
    property: 'website',
    name: /^(web(site|page)?|homepage|url|uri|site)$|website/,
    value: /^https?:\/\//i,
    several: 'kept',
  },
  { property: 'email', name: /mail/, value: /^(mailto:)?[^\s@]+@[^\s@]+$/i },
  { property: 'fax', name: /fax/, value: /\d{3}/ },
  { property: 'phone-emergency', name: /emergency|hotline|24x7|24h/, value: /\d{3}/ },
  { property: 'phone-numbers', name: /phone|mobile|^tel|telefon/, value: /\d{3}/, several: 'kept' },
  { property: 'postal-address', name: /^(postal|street|mailing)?address$|^anschrift$/ },
  {
    property: 'establishment',
    name: /^(established|establishment(date)?|founded|since|created(at)?)$/,
    value: /\d{4}/,
  },
  { property: 'pgp-key', name: /key|pgp|gpg|openpgp/, value: /BEGIN PGP PUBLIC KEY BLOCK/ },
  { property: 'pgp-fingerprint', name: /fingerprint|key|pgp|gpg/, value: /^(0x)?([\dA-F]{4}\s*){10}$/i },
  { property: 'operating-hours', name: /hours|openingtimes/ },
  { property: 'timezone', name: /^(time|business ?hours)?(time)?zone$/ },
  { property: 'constituency', name: /^(constituency(type)?s?|sectors?|scope|types)$/, several: 'joined' },
  { property: 'membership', name: /^(membership|status|level)$/ },
];

const NEWS_RULES: readonly PropertyRule[] = [
  { property: 'title', name: /^(title|headline|subject|vulnerabilityname|name)$/ },
  { property: 'summary', name: /^(summary|shortdescription|abstract|description|teaser)$/ },
  { property: 'content', name: /^(content|text|body|html)$/ },
  { property: 'link', name: /^(link|url|uri|href|permalink|path)$/, value: /^(https?:\/\/|\/)/i },
  {
    property: 'published',
    name: /^(published(at|on)?|pubdate|date(added|reported|published)?|at|issued|created)$/,
    value: /\d{4}/,
  },
];

const ID_NAME = /^(uuid|guid|id|ref(erence)?|identifier|handle|key|number|no|cve|[a-z]{2,6}id)$/;

/** By the names and values of the entries. */
export function proposeMapping(entries: readonly unknown[]): ProposedMapping {
  const places = listPlaces(entries.slice(0, MAX_ENTRIES));
  const teams = matchRules(places, TEAM_RULES);
  const news = matchRules(places, NEWS_RULES);
  const has = (found: ReadonlyMap<PropertyRule, Place>, ...names: readonly string[]): boolean =>
    Array.from(found.keys()).some(({ property }) => names.includes(property));
  const isTeams = has(teams, 'short-team-name', 'official-team-name') && teams.size > 1;
  const isNews = has(news, 'title') && has(news, 'published', 'link');
  if (!isTeams && !isNews) return { map: new Map(), unused: places.map(({ expression }) => expression) };
  const reachesTeams = has(teams, 'email', 'phone-numbers', 'country-code', 'pgp-key');
  const listsNews = isNews && !(isTeams && reachesTeams);
  const found = listsNews ? news : teams;
  const id = findId(places, Math.min(entries.length, MAX_ENTRIES), listsNews);
  const used = new Set([id, ...found.values()]);
  const [name] = listsNews ? [] : Array.from(found).filter(([{ property }]) => property.endsWith('team-name'));
  const nested = name?.[1].isListed === true ? /^.*\[\]/.exec(name[1].expression)?.[0] : undefined;
  return {
    ...(listsNews && { resource: 'news' as const }),
    ...(nested !== undefined && { nested }),
    map: new Map([
      // An item of news must have an id: where none was found, the expression is to be written.
      ...(id === undefined && !listsNews ? [] : [['id', id?.expression ?? 'id'] as const]),
      ...Array.from(found, ([rule, place]) => [rule.property, expressionOf(place, rule)] as const),
    ]),
    unused: places.filter((place) => !used.has(place)).map(({ expression }) => expression),
  };
}

function expressionOf({ expression, isListed }: Place, { several }: PropertyRule): string {
  if (!isListed || several === 'kept') return expression;
  return several === 'joined' ? `join(', ', ${expression})` : `${expression} | [0]`;
}

/** Each place gives at most one property, and each property is given by the first place that fits best. */
function matchRules(places: readonly Place[], rules: readonly PropertyRule[]): ReadonlyMap<PropertyRule, Place> {
  const found = new Map<PropertyRule, Place>();
  for (const rule of rules) {
    const { name, value } = rule;
    const free = places.filter((place) => !Array.from(found.values()).includes(place));
    const fitting = free.filter(({ values }) => value === undefined || values.some((text) => value.test(text.trim())));
    const place = fitting.find((one) => name.test(one.name)) ?? fitting.find((one) => name.test(one.names));
    if (place !== undefined) found.set(rule, place);
  }
  return found;
}

/** Every entry has one of its own. An item of news must have an id, whatever its name is. */
function findId(places: readonly Place[], count: number, isRequired: boolean): Place | undefined {
  const unique = places.filter(
    ({ values, isListed }) => !isListed && values.length === count && new Set(values).size === count,
  );
  return unique.find(({ name }) => ID_NAME.test(name)) ?? (isRequired ? unique[0] : undefined);
}

/** A configuration would take it for a variable, or an editor would not show it. */
function canBeWritten(name: string): boolean {
  return !/\$\{|[\p{Cc}\p{Cf}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/u.test(name);
}

function listPlaces(entries: readonly unknown[]): readonly Place[] {
  const found = new Map<string, { place: Omit<Place, 'values'>; values: string[] }>();
  for (const entry of entries) visit(entry, [], '', false);
  return Array.from(found.values(), ({ place, values }) => ({ ...place, values }));

  function visit(value: unknown, path: PropertyPath, expression: string, isListed: boolean): void {
    if (Array.isArray(value)) {
      for (const item of value) visit(item, path, `${expression}[]`, true);
    } else if (typeof value === 'object' && value !== null) {
      if (path.length === MAX_DEPTH) return;
      for (const [name, inner] of Object.entries(value)) {
        if (!canBeWritten(name)) continue;
        const step = formatPropertyPath([name]);
        visit(inner, [...path, name], expression === '' ? step : `${expression}.${step}`, isListed);
      }
    } else if ((typeof value === 'string' || typeof value === 'number') && value !== '' && path.length > 0) {
      note(String(value), path, expression, isListed);
    }
  }

  function note(value: string, path: PropertyPath, expression: string, isListed: boolean): void {
    const known = found.get(expression);
    if (known !== undefined) known.values.push(value);
    else if (found.size < MAX_PLACES) {
      const names = path.map((name) => foldText(String(name)).replace(/[^a-z\d]/g, ''));
      const place = { expression, isListed, name: names.at(-1) ?? '', names: names.join('') };
      found.set(expression, { place, values: [value] });
    }
  }
}
