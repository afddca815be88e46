import type { SeededRandom } from '../../config/demo/generator/seeded-random.js';
import { createSeededRandom } from '../../config/demo/generator/seeded-random.js';
import type { Entry } from '../../config/demo/generator/team.js';
import { canHaveError, misspell, typingErrors } from './queries/typing-errors.js';

/** Queries of each kind. */
const QUERIES = 10;

/** Words that thousands of teams have. */
const COMMON_WORDS = [
  'cert',
  'university',
  'bank',
  'csirt',
  'team',
  'security',
  'computer',
  'hospital',
  'centre',
  'port',
];

type QueryMaker = (team: Entry, dice: SeededRandom, at: number) => string | undefined;

/** Each kind of query, made from a random team; undefined for a team without what it needs. */
const makers: readonly QueryMaker[] = [
  (_team, _dice, at) => COMMON_WORDS[at],
  (_team, dice, at) => `${COMMON_WORDS[at] ?? ''} ${dice.pick(COMMON_WORDS)} ${dice.pick(COMMON_WORDS)}`,
  (team) => longestWord(team),
  (team) => longestWord(team)?.slice(0, 1),
  (team) => longestWord(team)?.slice(0, 2),
  (team, dice) => {
    const word = longestWord(team);
    return word && misspell(word, dice.pick(typingErrors), dice);
  },
  (team, dice) => {
    const word = longestWord(team);
    return word && `${misspell(word, dice.pick(typingErrors), dice)} univresity`;
  },
  ({ email }) => email && `mail.${email.split('@')[1] ?? ''}`,
  ({ 'phone-numbers': [telephone] = [] }) => telephone,
  ({ enckeys: [key] = [] }) => key?.slice(-16).toLowerCase(),
];

/** Makes 100 different queries of all kinds from teams. The same teams give the same queries. */
export function createLatencyQueries(teams: readonly Entry[]): readonly string[] {
  const queries = new Set<string>();
  for (const [kind, make] of makers.entries()) {
    const dice = createSeededRandom(`latency ${kind}`);
    for (let at = 0; at < QUERIES; at += 1) {
      let query: string | undefined;
      while (query === undefined || queries.has(query)) query = make(dice.pick(teams), dice, at);
      queries.add(query);
    }
  }
  return [...queries];
}

/** The longest word of the names in which an error can be made, in lower case. */
function longestWord(team: Entry): string | undefined {
  const words = `${team['short-team-name'] ?? ''} ${team.host ?? ''}`.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
  return words.filter(canHaveError).sort((a, b) => b.length - a.length)[0];
}
