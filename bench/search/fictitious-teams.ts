import { countries } from '../../config/demo/generator/countries.js';
import type { Country, Place } from '../../config/demo/generator/countries.js';
import { kinds } from '../../config/demo/generator/languages.js';
import { organisationTeam } from '../../config/demo/generator/organisations.js';
import { createSeededRandom } from '../../config/demo/generator/seeded-random.js';
import type { SeededRandom } from '../../config/demo/generator/seeded-random.js';
import type { Entry } from '../../config/demo/generator/team.js';

/** The fictitious teams from a position on: one of each kind of organisation at places that do not exist, in all countries of the demo. */
export function fictitiousTeams(from: number, count: number): readonly Entry[] {
  return Array.from({ length: count }, (_, at) => fictitiousTeam(from + at));
}

function fictitiousTeam(at: number): Entry {
  const country = countries[at % countries.length];
  const kind = kinds[Math.floor(at / countries.length) % kinds.length];
  if (country === undefined || kind === undefined) throw new Error(`no team ${at}`);
  return organisationTeam(country, createPlace(country, Math.floor(at / (countries.length * kinds.length))), kind)
    .entry;
}

/** Parts of place names: two or three letters each. */
function partsOf(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => name.toLowerCase().match(/\p{L}[\p{L}\p{M}]{1,2}/gu) ?? []);
}

const latinParts = partsOf(countries.flatMap(({ places }) => places.map(({ latin }) => latin)));

/** A place with a name of parts of other names: in the letters of its country, and in Latin letters where these differ. */
function createPlace({ code, places }: Country, number: number): Place {
  const dice = createSeededRandom(`place ${number} of ${code}`);
  const latin = createName(latinParts, dice);
  const isLatin = places.every((place) => place.native === place.latin);
  return { native: isLatin ? latin : createName(partsOf(places.map(({ native }) => native)), dice), latin };
}

/** One word of two to four parts, or two words. */
function createName(parts: readonly string[], dice: SeededRandom): string {
  const words = Array.from({ length: dice.chance(25) ? 2 : 1 }, () => {
    const word = Array.from({ length: 2 + dice.below(3) }, () => dice.pick(parts)).join('');
    return word.charAt(0).toUpperCase() + word.slice(1);
  });
  return words.join(' ');
}
