import { countries } from '../../../config/demo/generator/countries.js';
import { plain } from '../../../config/demo/generator/languages.js';
import { wordsOf } from './demo-team.js';
import type { DemoTeam } from './demo-team.js';
import { distinctiveWords } from './name-forms.js';
import type { QueryForm } from './query-form.js';
import { romanise } from './romanisation.js';

/** How a letter is written with others where the keyboard has it not, by country. */
const DIGRAPHS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...fromEach(['DE', 'AT', 'CH'], { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' }),
  ...fromEach(['DK', 'NO'], { æ: 'ae', ø: 'oe', å: 'aa' }),
  ...fromEach(['SE', 'FI'], { ä: 'ae', ö: 'oe', å: 'aa' }),
  IS: { þ: 'th', ð: 'd', æ: 'ae', ö: 'o' },
};

function fromEach<T>(keys: readonly string[], value: T): Readonly<Record<string, T>> {
  return Object.fromEntries(keys.map((key) => [key, value]));
}

/** Words of a name in another spelling. Right are the teams that have the words as they are spelt in the name. */
function respelt(nameOf: (team: DemoTeam) => string, spell: (name: string, team: DemoTeam) => string): QueryForm {
  return (team, list) => {
    const words = distinctiveWords(nameOf(team));
    const [meant, typed] = [words.join(' '), spell(words.join(' '), team)];
    if (typed === meant || words.length < 2 || words.length > 4) return undefined;
    return { q: typed, right: list.withWords(wordsOf(meant)) };
  };
}

const hostOf = ({ host }: DemoTeam): string => host;

const withDigraphs: QueryForm = respelt(hostOf, (name, { country }) =>
  Array.from(name, (letter) => DIGRAPHS[country]?.[letter] ?? letter).join(''),
);

const withoutMarks: QueryForm = respelt(hostOf, (name) => (/^[\p{Script=Latin} ]+$/u.test(name) ? plain(name) : name));

const inLatinLetters: QueryForm = respelt(hostOf, romanise);

/** In capitals, which have no accents in Greek, for a team that has its own names in Latin letters only. */
const inOwnScript: QueryForm = respelt(hostOf, (name, { shortName, officialName }) =>
  /^[\p{Script=Greek}\p{Script=Cyrillic} ]+$/u.test(name) &&
  /^[\p{Script=Latin}\P{L}]+$/u.test(shortName + officialName)
    ? name.normalize('NFD').replaceAll('\u0301', '').normalize('NFC').toUpperCase()
    : name,
);

const placesInOtherScripts = countries
  .flatMap(({ places }) => places)
  .filter(({ native }) => !/^[\P{L}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]+$/u.test(native));

/** The short name with its place in Latin letters, as the e-mail address has it, for scripts that no table of letters maps. */
const withPlaceInLatin: QueryForm = ({ shortName }, list) => {
  const place = placesInOtherScripts.find(({ native }) => shortName.includes(native));
  return place && { q: shortName.replace(place.native, place.latin), right: list.withWords(wordsOf(shortName)) };
};

export const transliterationForms: readonly QueryForm[] = [
  withDigraphs,
  withoutMarks,
  inLatinLetters,
  inOwnScript,
  withPlaceInLatin,
];

/** The short name in another spelling. Right are the teams that have its words as they are spelt. */
function respeltShortName(spell: (name: string) => string): QueryForm {
  return ({ shortName }, list) => {
    const q = spell(shortName);
    return q === shortName ? undefined : { q, right: list.withWords(wordsOf(shortName)) };
  };
}

/** `Acorn-CERT` as `acorncert`. */
const joined = respeltShortName((name) =>
  /^[\p{L}\p{N}]+(?:[ -][\p{L}\p{N}]+){1,2}$/u.test(name) ? name.replaceAll(/[ -]/g, '').toLowerCase() : name,
);

/** `Acorn MedCSIRT` as `acorn med csirt`. */
const splitAtCapitals = respeltShortName((name) =>
  /\p{Ll}\p{Lu}/u.test(name) ? name.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ').toLowerCase() : name,
);

/** Names of vendors and places that consist of two words, and are easily taken for two. */
const COMPOUNDS = [
  'Quill byte',
  'Ferro wave',
  'Kite line',
  'Moss gate',
  'Tide glass',
  'Cloud berry',
  'Lark moor',
  'Loon water',
  'Iron bark',
  'Klokke sund',
  'Måne holm',
  'Isfugle bro',
  'Stjerne vig',
  'Tind havn',
  'Falken rieth',
  'Weißen sund',
  'Gletsch bach',
  'Zwaan meer',
  'Ooster vliet',
  'Yavor grad',
].map((split) => ({ split, whole: split.replace(' ', '') }));

/** `Mossgate PSIRT` as `moss gate psirt`. */
const splitCompound = respeltShortName((name) => {
  const compound = COMPOUNDS.find(({ whole }) => name.toLowerCase().includes(whole.toLowerCase()));
  return compound ? name.toLowerCase().replace(compound.whole.toLowerCase(), compound.split.toLowerCase()) : name;
});

export const joinedOrSplitForms: readonly QueryForm[] = [joined, splitAtCapitals, joined, splitCompound];
