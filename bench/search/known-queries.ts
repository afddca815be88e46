import { createSeededRandom } from '../../config/demo/generator/seeded-random.js';
import type { SeededRandom } from '../../config/demo/generator/seeded-random.js';
import { domainForms, keyForms, telephoneForms } from './queries/contact-forms.js';
import { TeamList } from './queries/demo-team.js';
import type { DemoTeam } from './queries/demo-team.js';
import { beginningForms, exactNameForms, oneErrorForms, placeForms, twoErrorForms } from './queries/name-forms.js';
import type { QueryForm } from './queries/query-form.js';
import { joinedOrSplitForms, transliterationForms } from './queries/spelling-forms.js';

/** Each kind of query with its forms, which take turns. */
const kinds = {
  'exact short name': exactNameForms,
  'beginnings of words': beginningForms,
  'one typing error': oneErrorForms,
  'two typing errors': twoErrorForms,
  transliteration: transliterationForms,
  'joined or split': joinedOrSplitForms,
  'name and place': placeForms,
  domain: domainForms,
  telephone: telephoneForms,
  key: keyForms,
} satisfies Readonly<Record<string, readonly QueryForm[]>>;

export type QueryKind = keyof typeof kinds;

/** Queries of each kind. */
export const QUERIES_PER_KIND = 20;

/** A query whose right answer is known from the data. */
export interface KnownQuery {
  readonly q: string;
  readonly kind: QueryKind;
  /** `-rollcall-id` of each record that is right as the first hit: one, or records that the query cannot distinguish. */
  readonly expected: readonly string[];
}

/**
 * Makes queries with known answers from the teams of the demo: records of the directory interface with `-rollcall-id`.
 * The same teams give the same queries, in any order of the teams. No two queries are equal, and no two of one kind are
 * for the same organisation.
 *
 * The answer follows from the data, never from a search: for a word query the records whose text has all its words as
 * meant, for others the records that state the number, key or domain. A query is used only if these records are of one
 * organisation.
 */
export function createKnownQueries(records: readonly Readonly<Record<string, unknown>>[]): readonly KnownQuery[] {
  const list = new TeamList(records);
  const used = new Set<string>();
  return (Object.keys(kinds) as QueryKind[]).flatMap((kind) => createQueriesOfKind(kind, list, used));
}

/** Adds the queries to `used`. */
function createQueriesOfKind(kind: QueryKind, list: TeamList, used: Set<string>): readonly KnownQuery[] {
  const queries: KnownQuery[] = [];
  const organisations = new Set<string>();
  const forms = kinds[kind].map((form, at) => {
    const dice = createSeededRandom(`${kind}, form ${at}`);
    return { form, dice, teams: shuffle(list.teams, dice).values() };
  });
  for (let at = 0; at < QUERIES_PER_KIND; at += 1) {
    const { form, dice, teams } = forms[at % forms.length] ?? unreachable(kind);
    for (const team of teams) {
      const query = organisations.has(team.organisation) ? undefined : form(team, list, dice);
      const expected = query && list.idsOfOneOrganisation(query.right);
      if (query === undefined || expected === undefined || used.has(query.q)) continue;
      queries.push({ q: query.q, kind, expected });
      organisations.add(team.organisation);
      used.add(query.q);
      break;
    }
  }
  return queries;
}

function unreachable(kind: QueryKind): never {
  throw new Error(`${kind} has no form`);
}

/** Fisher and Yates. */
function shuffle(teams: readonly DemoTeam[], dice: SeededRandom): readonly DemoTeam[] {
  const rest = [...teams];
  return teams.flatMap(() => rest.splice(dice.below(rest.length), 1));
}
