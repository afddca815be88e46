import type { List } from '../gateway/gateway.js';
import type { Node } from '../model/document.js';
import { copyOf, shownDetail } from '../model/outcome.js';
import type { SourceOutcome } from '../model/outcome.js';
import type { Query } from '../model/query.js';
import { isKey } from '../model/resource.js';
import { listedFields } from '../query/vocabulary.js';
import type { Vocabulary } from '../query/vocabulary.js';
import type { Copy } from '../source/source.js';
import { compareCodePoints } from '../text/code-points.js';
import { imfFixdate } from '../text/date.js';

/**
 * The columns of a table (decisions.md, section 3): the fields asked for, in that order; else the names that are known of the
 * resource in this scope, then further properties by name, over all matches, so that pages line up.
 */
export async function columnsOf(query: Query, vocabulary: Vocabulary, list: List): Promise<readonly string[]> {
  const { fields, scope, resource } = query;
  if (fields !== undefined) return fields;
  const known = listedFields(vocabulary, scope);
  if (scope !== 'public') return known;
  const further = [...(await list.merged.furtherNames())].filter(
    (name) => !known.includes(name) && !isKey(resource, name),
  );
  return [...known, ...further.sort(compareCodePoints)];
}

/** What a saved file keeps of what the headers told: the address of exactly this page, total, last-modified and the sources. */
export function aboutOf(
  address: string,
  { total, newest }: List,
  outcomes: readonly SourceOutcome<Copy>[],
): ReadonlyMap<string, Node> {
  return new Map<string, Node>([
    ['query', address],
    ['total', total],
    ...(newest === undefined ? [] : [['last-modified', imfFixdate(newest)] satisfies [string, Node]]),
    ['sources', outcomes.map(aboutSource)],
  ]);
}

function aboutSource({ sourceName, outcome }: SourceOutcome<Copy>): ReadonlyMap<string, Node> {
  const copy = copyOf(outcome);
  return new Map<string, Node>([
    ['source-name', sourceName],
    ['state', outcome.state],
    ...('reason' in outcome ? [['reason', outcome.reason] satisfies [string, Node]] : []),
    ...Object.entries(shownDetail(outcome)),
    ...(copy === undefined ? [] : [['records', copy.set.size] satisfies [string, Node]]),
  ]);
}
