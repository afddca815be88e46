import { isKey, kindOf } from '../model/resource.js';
import type { Kind } from '../model/resource.js';
import { itemsOf } from '../model/value.js';
import { reader } from '../records/column.js';
import { fold } from '../text/fold.js';
import type { Answered } from './finding.js';
import { open, otherForms, rightly, told, writtenOtherwise } from './filters.js';
import type { Known } from './known.js';
import { bestToAsk, compare, comparisonCost, faultOf } from './matching.js';
import type { Subject } from './subject.js';

/** A property, and values of it that tell how a source compares, each in a case in which no record has it. */
export interface Telling {
  readonly property: string;
  /** Requests that it takes to ask for these values. */
  readonly cost: number;
  /** Folded, but for its case; several records share it: one of them may be left out. */
  readonly shared?: string;
  /** Folded, but for its case; a record has it with marks, or letters beyond a to z: asked without them, it may be left out. May be `shared` itself. */
  readonly marked?: string;
}

const TEXTS: ReadonlySet<Kind> = new Set<Kind>(['text', 'texts', 'country']);

/** `country` is a parameter that looks at more than the property; an id is made here. */
const NO_FILTERS = ['id', 'country'];

/** The properties whose filters could be wrong in a way that shows, those that tell most first. */
export function tellingProperties(subject: Subject, known: Known): readonly Telling[] {
  const { resource } = known;
  const names = resource.properties.filter(
    ({ name, kind }) => TEXTS.has(kind) && !NO_FILTERS.includes(name) && !isKey(resource, name) && isAsked(known, name),
  );
  const found = names.map(({ name }) => tellingOf(subject, known, name)).filter(({ shared }) => shared !== undefined);
  return found.sort((a, b) => Number(b.marked !== undefined) - Number(a.marked !== undefined));
}

/** Which source a record is from this house decides by the registration; only an aggregate has records of several. */
function isAsked({ vocabulary, resource }: Known, name: string): boolean {
  return name !== resource.sourceName || vocabulary.aggregate;
}

function tellingOf(subject: Subject, known: Known, property: string): Telling {
  const read = reader(known.resource, property);
  const counts = new Map<string, number>();
  const [marks, lower] = [new Set<string>(), new Set<string>()];
  for (const record of known.set.records) {
    for (const text of new Set(itemsOf(read(record)).map(String))) {
      const folded = fold(text);
      counts.set(folded, (counts.get(folded) ?? 0) + 1);
      if (folded !== text.toLowerCase()) marks.add(folded);
      if (text === text.toLowerCase()) lower.add(folded);
    }
  }
  const choosing = [...counts].filter(([, count]) => count < known.size);
  const several = choosing.filter(([, count]) => count > 1);
  const shared = bestToAsk(several.filter(([value]) => marks.has(value))) ?? bestToAsk(several);
  const isMarked = shared !== undefined && marks.has(shared);
  const marked = isMarked ? shared : bestToAsk(choosing.filter(([value]) => marks.has(value)));
  const values = new Set([shared, marked].filter((value) => value !== undefined));
  const cost = [...values].reduce((sum, value) => sum + comparisonCost(subject, counts.get(value) ?? 0), 0);
  const inCase = (value: string): string => (lower.has(value) ? upperCase(value) : value);
  return {
    property,
    cost,
    ...(shared !== undefined && { shared: inCase(shared) }),
    ...(marked !== undefined && { marked: inCase(marked) }),
  };
}

/** The same value in capital letters, where it is still the same value folded. */
function upperCase(folded: string): string {
  const upper = folded.toUpperCase();
  return fold(upper) === folded ? upper : folded;
}

/** An exact filter on a property, asked for folded values, as this house compares them. */
export async function askProperty(subject: Subject, known: Known, telling: Telling): Promise<Answered[]> {
  const { property, shared, marked } = telling;
  const topic = `filter ${property}`;
  if (shared === undefined) return open(topic, 'no value that several records share and others have not');
  const first = await compare(subject, known, { [property]: shared });
  const second =
    marked === undefined || marked === shared ? undefined : await compare(subject, known, { [property]: marked });
  const comparisons = [first, ...(second ? [second] : [])];
  for (const one of comparisons) {
    const fault = faultOf(subject, one);
    if (fault !== undefined) return [{ topic, verdict: 'refuted', evidence: fault, asked: one.asked }];
  }
  const asked = comparisons.flatMap((one) => one.asked);
  const evidence = comparisons.map((one) => rightly(one, known)).join('; ');
  const isCode = kindOf(known.resource, property) === 'country';
  const doubts = isCode ? otherForms(subject) : [...plainness(telling), ...writtenOtherwise(subject, [property])];
  return [told(topic, { evidence, doubts, asked, grant: { filter: property } })];
}

function plainness({ marked }: Telling): readonly string[] {
  return marked === undefined
    ? ['no value has letters beyond a to z, so that it is not seen how those are compared']
    : [];
}
