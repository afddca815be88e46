import { parseCountryCode } from '../../../src/region/country.js';
import { foldText } from '../../../src/text/text-folding.js';
import { isOneErrorApart } from './typing-errors.js';

/** A team of the demo, read for queries. A missing text is empty. */
export interface DemoTeam {
  readonly id: string;
  readonly shortName: string;
  readonly officialName: string;
  readonly host: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** English name of the country. */
  readonly countryName: string;
  /** From the line of the address with the post code. */
  readonly city: string;
  /** In upper case, without `0x`. */
  readonly keys: readonly string[];
  /** As listed. */
  readonly telephones: readonly string[];
  /** Domain of the e-mail address. */
  readonly emailDomain: string;
  /** Host names of the websites. */
  readonly webHosts: readonly string[];
  /** Equal for records of one organisation: the domain of its e-mail address and its country; without an address, its id. */
  readonly organisation: string;
}

/** The folded words of a text: runs of letters and digits. */
export function wordsOf(text: string): readonly string[] {
  return foldText(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The digits of a telephone number. */
export function digitsOf(telephone: string): string {
  return telephone.replaceAll(/\D/g, '');
}

/** The teams of the demo, and which of them fit a query. */
export class TeamList {
  /** In the order of the ids. */
  readonly teams: readonly DemoTeam[];
  /** The teams whose text has a word, with the names of their countries. */
  private readonly holders = new Map<string, Set<DemoTeam>>();

  constructor(records: readonly Readonly<Record<string, unknown>>[]) {
    const read = records.map((record) => ({ record, team: readTeam(record) }));
    this.teams = read.map(({ team }) => team).sort((a, b) => (a.id < b.id ? -1 : 1));
    for (const { record, team } of read) {
      const countries = [team.country, ...textsOf(record, 'additional-country-code')].map(nameOfCountry);
      const texts = [...Object.keys(record).flatMap((name) => textsOf(record, name)), ...countries];
      for (const word of texts.flatMap(wordsOf)) {
        this.holders.set(word, (this.holders.get(word) ?? new Set()).add(team));
      }
    }
  }

  /** The teams that have each of the words in their text, as it is, as the beginning of a word, or with one typing error. */
  withWords(words: readonly string[]): ReadonlySet<DemoTeam> {
    const [first = [], ...others] = words.map((word) => this.withWord(word));
    return new Set([...first].filter((team) => others.every((teams) => teams.has(team))));
  }

  /** Whether a word of any team begins with the word. */
  hasWord(word: string): boolean {
    return [...this.holders.keys()].some((known) => known.startsWith(word));
  }

  /** The teams for which a condition holds. */
  where(condition: (team: DemoTeam) => boolean): ReadonlySet<DemoTeam> {
    return new Set(this.teams.filter(condition));
  }

  /** The ids of the teams, sorted; undefined unless all are of one organisation. */
  idsOfOneOrganisation(teams: ReadonlySet<DemoTeam>): readonly string[] | undefined {
    const organisations = new Set([...teams].map(({ organisation }) => organisation));
    return organisations.size === 1 ? [...teams].map(({ id }) => id).sort() : undefined;
  }

  private withWord(word: string): ReadonlySet<DemoTeam> {
    const known = [...this.holders].filter(([other]) => other.startsWith(word) || isOneErrorApart(other, word));
    return new Set(known.flatMap(([, teams]) => [...teams]));
  }
}

function readTeam(record: Readonly<Record<string, unknown>>): DemoTeam {
  const text = (name: string): string => textsOf(record, name)[0] ?? '';
  const [id, country] = [text('-rollcall-id'), parseCountryCode(text('country-code')) ?? ''];
  const emailDomain = text('email').toLowerCase().split('@')[1] ?? '';
  return {
    id,
    shortName: text('short-team-name'),
    officialName: text('official-team-name'),
    host: text('host'),
    country,
    countryName: nameOfCountry(country),
    city: /^[A-Z]{2}-\d{4} (.+?)\r?$/m.exec(text('postal-address'))?.[1] ?? '',
    keys: textsOf(record, 'enckeys').map((key) => key.replace(/^0x/, '').toUpperCase()),
    telephones: textsOf(record, 'phone-numbers'),
    emailDomain,
    webHosts: textsOf(record, 'website').map(
      (address) =>
        address
          .replace(/^https?:\/\//, '')
          .split('/', 1)[0]
          ?.toLowerCase() ?? '',
    ),
    organisation: emailDomain === '' ? id : `${emailDomain} ${country}`,
  };
}

function textsOf(record: Readonly<Record<string, unknown>>, name: string): readonly string[] {
  const value = record[name];
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.flatMap((item) => (typeof item === 'string' ? item.trim() : []));
}

const countryNames = new Intl.DisplayNames('en', { type: 'region' });

/** Empty for a code that is none. */
function nameOfCountry(code: string): string {
  return parseCountryCode(code) === undefined ? '' : (countryNames.of(code) ?? '');
}
