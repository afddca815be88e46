/** A team as a sample repository keeps it. */
export type Team = Readonly<Record<string, unknown>>;

/** What NFKD leaves whole, and the final sigma, which lower-casing chooses by its place. */
const unfoldable: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  ß: 'ss',
  æ: 'ae',
  đ: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
};

/** Parameters that are no filters on a property of their own name. */
const control: ReadonlySet<string> = new Set(['fields', 'limit', 'offset', 'sort', 'envelope', 'pretty']);

/** Case and diacritics taken off, for search and order (decisions.md, section 2). */
export function fold(text: string): string {
  const bare = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return bare.replaceAll(/[øłßæđþıς]/g, (letter) => unfoldable[letter] ?? letter);
}

/** Whether a team meets every filter of a query: q, team, country, and properties by their names. */
export function meets(team: Team, query: URLSearchParams): boolean {
  return [...query].every(([name, value]) => {
    if (control.has(name)) return true;
    if (name === 'q') return hasWords(everything(team), value);
    if (name === 'team') return hasWords(texts(team, ['short-team-name', 'official-team-name']), value);
    const wanted = value.toLowerCase();
    if (name !== 'country') return texts(team, [name]).some((text) => text.toLowerCase() === wanted);
    const codes = texts(team, ['country-code', 'additional-country-code']);
    return codes.some((code) => wanted.split(',').includes(code.toLowerCase()));
  });
}

/**
 * The teams in the order of a sort parameter; teams without a property come last either way.
 * A token that is a property's whole name sorts upwards by it, even when it begins with a hyphen.
 */
export function ordered(teams: readonly Team[], sort: string, properties: ReadonlySet<string>): readonly Team[] {
  const keys = sort.split(',').map((token) => {
    const descending = token.startsWith('-') && !properties.has(token);
    return { name: descending ? token.slice(1) : token, sign: descending ? -1 : 1 };
  });
  const rows = teams.map((team) => ({ team, values: keys.map(({ name }) => sortable(team, name)) }));
  const compare = (left: string | undefined, right: string | undefined, sign: number): number => {
    if (left === right) return 0;
    if (left === undefined || right === undefined) return left === undefined ? 1 : -1;
    return left < right ? -sign : sign;
  };
  rows.sort((a, b) => keys.reduce((so, { sign }, at) => so || compare(a.values[at], b.values[at], sign), 0));
  return rows.map(({ team }) => team);
}

/** The first value of a property, folded, then as it is: ISO dates order themselves that way. */
function sortable(team: Team, name: string): string | undefined {
  const [text] = texts(team, [name]);
  return text === undefined ? undefined : `${fold(text)}\0${text}`;
}

function everything(team: Team): readonly string[] {
  return texts(
    team,
    Object.keys(team).filter((name) => name !== 'last-modified'),
  );
}

function hasWords(searched: readonly string[], value: string): boolean {
  const folded = searched.map(fold);
  const words = value.split(/\s+/).map(fold);
  return words.every((word) => folded.some((text) => text.includes(word)));
}

/** The texts of some properties, the items of lists one by one. */
function texts(team: Team, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => team[name]).filter((value) => typeof value === 'string');
}
