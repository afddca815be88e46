import type { SeededRandom } from '../../../config/demo/generator/seeded-random.js';
import { wordsOf } from './demo-team.js';
import type { DemoTeam } from './demo-team.js';
import type { QueryForm } from './query-form.js';
import { canHaveError, misspell, typingErrors } from './typing-errors.js';
import type { TypingError } from './typing-errors.js';

/** Words that hundreds of teams have in their names, and that nobody types to find one of them. */
const COMMON_WORD =
  /^(?:computer|emergency|security|incident|response|team|cyber|defence|centre|cert|csirt|product|sample|the|and|\p{L}{1,2})$/u;

/** Words of a query that a person types. */
const MAX_WORDS = 4;

/** The words of a name in lower case, as written, without common ones. */
export function distinctiveWords(name: string): readonly string[] {
  const words =
    name
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.filter((word) => !COMMON_WORD.test(word));
}

/** The distinctive words of the official name; undefined if these are too many or too few. */
function wordsOfOfficialName({ officialName }: DemoTeam): readonly string[] | undefined {
  const words = distinctiveWords(officialName);
  return words.length >= 1 && words.length <= MAX_WORDS ? words : undefined;
}

/** The short name as listed. The teams with these words as their short name are right, whatever the separators. */
const shortName: QueryForm = ({ shortName: q }, list) => {
  const words = wordsOf(q).join(' ');
  if (words.length < 3) return undefined;
  return { q, right: list.where((other) => wordsOf(other.shortName).join(' ') === words) };
};

export const exactNameForms: readonly QueryForm[] = [shortName];

/** Two or three words of the official name, the long ones only begun. */
function begun(arrange: (words: readonly string[]) => readonly string[]): QueryForm {
  return (team, list) => {
    const words = wordsOfOfficialName(team);
    if (words === undefined || words.length < 2 || !words.some(isLong)) return undefined;
    const typed = arrange(words.map((word) => (isLong(word) ? begin(word) : word)));
    return { q: typed.join(' '), right: list.withWords(typed.flatMap(wordsOf)) };
  };
}

function isLong(word: string): boolean {
  return word.length >= 6 && /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{M}]+$/u.test(word);
}

/** Three letters in five: enough to recognise the word. */
function begin(word: string): string {
  return word.slice(0, Math.ceil(word.length * 0.6));
}

export const beginningForms: readonly QueryForm[] = [begun((words) => words), begun((words) => words.toReversed())];

/** The distinctive words of the official name, with an error in one of them. */
function withOneError(error: TypingError): QueryForm {
  return (team, list, dice) => {
    const words = wordsOfOfficialName(team);
    const correct = words?.filter(canHaveError) ?? [];
    if (words === undefined || correct.length === 0) return undefined;
    const wrong = dice.pick(correct);
    return misspelt(words, new Map([[wrong, misspell(wrong, error, dice)]]), list);
  };
}

export const oneErrorForms: readonly QueryForm[] = typingErrors.map(withOneError);

/** Words of a name, with an error in two of them. */
function withTwoErrors(nameOf: (team: DemoTeam) => string): QueryForm {
  return (team, list, dice) => {
    const words = distinctiveWords(nameOf(team));
    const [one, other] = words.filter(canHaveError);
    if (one === undefined || other === undefined || words.length > MAX_WORDS) return undefined;
    return misspelt(words, new Map([one, other].map((word) => [word, misspellAnyhow(word, dice)])), list);
  };
}

function misspellAnyhow(word: string, dice: SeededRandom): string {
  return misspell(word, dice.pick(typingErrors), dice);
}

/** The query with the wrong words in place of the correct ones; undefined if a wrong word is a word of the data too. */
function misspelt(
  words: readonly string[],
  wrong: ReadonlyMap<string, string>,
  list: Parameters<QueryForm>[1],
): ReturnType<QueryForm> {
  if ([...wrong.values()].flatMap(wordsOf).some((word) => list.hasWord(word))) return undefined;
  const typed = words.map((word) => wrong.get(word) ?? word);
  // One error is tolerated, so that a team that fits the error as well makes the query ambiguous.
  return { q: typed.join(' '), right: list.withWords(typed.flatMap(wordsOf)) };
}

export const twoErrorForms: readonly QueryForm[] = [
  withTwoErrors(({ officialName }) => officialName),
  withTwoErrors(({ shortName: name }) => name),
];

/** A short name that teams of several organisations share, with the place or word by which the query distinguishes them. */
function sharedName(distinctionOf: (team: DemoTeam) => string): QueryForm {
  return (team, list) => {
    const [words, distinction] = [wordsOf(team.shortName), distinctionOf(team)];
    const namesakes = list.where((other) => wordsOf(other.shortName).join(' ') === words.join(' '));
    if (distinction === '' || list.idsOfOneOrganisation(namesakes) !== undefined) return undefined;
    return { q: `${team.shortName} ${distinction}`, right: list.withWords([...words, ...wordsOf(distinction)]) };
  };
}

/** Words of the organisation, and the country. */
const hostAndCountry: QueryForm = (team, list) => {
  const words = distinctiveWords(team.host);
  if (words.length === 0 || words.length > MAX_WORDS || team.countryName === '') return undefined;
  const country = team.countryName.toLowerCase();
  if (words.some((word) => country.includes(word))) return undefined;
  const typed = [...words, country];
  return { q: typed.join(' '), right: list.withWords(typed.flatMap(wordsOf)) };
};

export const placeForms: readonly QueryForm[] = [
  sharedName(({ city }) => city),
  sharedName(({ countryName }) => countryName),
  hostAndCountry,
];
