import { itemsOf } from '../model/value.js';
import { reader } from '../records/column.js';
import { regionNames } from '../region/region.js';
import type { Parameters } from '../source/dialect.js';
import { fold } from '../text/fold.js';
import type { Answered } from './finding.js';
import { open, rightly } from './filters.js';
import type { Known } from './known.js';
import { READ_WHOLE, bestToAsk, compare, faultOf } from './matching.js';
import type { Subject } from './subject.js';

/** Why no comparison proves a search. */
const ONE_OF_MANY = 'one search says little of others, so that only the operator can declare it (exact: true)';

/** The directory's `team`. */
export async function askTeam(subject: Subject, known: Known): Promise<Answered[]> {
  const team = await sharedFragment(known, 'team');
  return team === undefined ? open('search team', 'no fragment of a name that tells') : asked(subject, known, { team });
}

/** `region`, by the name of the one with most teams. */
export async function askRegion(subject: Subject, known: Known): Promise<Answered[]> {
  const counts = await Promise.all(
    regionNames.map(async (region) => ({ region, count: (await known.exact({ region }))?.length ?? 0 })),
  );
  const choosing = counts.filter(({ count }) => count > 1 && count < known.size);
  const best = bestToAsk(choosing.map(({ region, count }) => [region, count] as const));
  if (best === undefined) return open('search region', 'no region that some records are in and others are not');
  return asked(subject, known, { region: best });
}

async function asked(subject: Subject, known: Known, parameters: Parameters): Promise<Answered[]> {
  const topic = `search ${Object.keys(parameters).join()}`;
  const comparison = await compare(subject, known, parameters);
  const fault = faultOf(subject, comparison);
  const facts = { topic, asked: comparison.asked };
  if (fault !== undefined) return [{ ...facts, verdict: 'refuted', evidence: fault }];
  return [{ ...facts, verdict: 'consistent', evidence: `${rightly(comparison, known)}; but ${ONE_OF_MANY}` }];
}

/** Names that are looked at for a fragment. */
const CANDIDATES = 40;

/** Part of a name's first word, folded and without its first letter, that several records have and others have not. */
export async function sharedFragment(known: Known, parameter: 'q' | 'team'): Promise<string | undefined> {
  const { resource, set } = known;
  const read = reader(resource, resource.names.at(-1) ?? '');
  const first = reader(resource, resource.names[0] ?? '');
  const words = set.records.flatMap((record) => [...itemsOf(read(record)), ...itemsOf(first(record))].flatMap(wordsOf));
  const counts: (readonly [string, number])[] = [];
  for (const word of [...new Set(words)].slice(0, CANDIDATES)) {
    const count = (await known.exact({ [parameter]: word }))?.length ?? 0;
    if (count > 1 && count <= READ_WHOLE) return word;
    if (count > 1 && count < known.size) counts.push([word, count]);
  }
  return bestToAsk(counts);
}

function wordsOf(value: unknown): readonly string[] {
  const words = String(value)
    .split(/\s+/)
    .filter((word) => /^\p{L}{4,}$/u.test(word));
  // Those with marks first: asked without them, they tell whether marks are looked at.
  const ranked = words.sort((a, b) => Number(fold(b) !== b.toLowerCase()) - Number(fold(a) !== a.toLowerCase()));
  return ranked.map((word) => fold(word).slice(1));
}
