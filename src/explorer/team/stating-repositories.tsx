import { compareRecords } from '../../gateway/links/compare-records.js';
import type { StatedValues } from '../../gateway/links/compare-records.js';
import { createContext, useContext } from '../../html/html.js';
import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';
import { summarizeSources } from '../answer/source-facts.js';
import type { SourceFact } from '../answer/source-facts.js';
import { labelOf } from './property-labels.js';
import type { TeamRecord } from './team-model.js';

interface StatingRepositoriesProps {
  /** Of the records that state it, among those of the page. */
  readonly places: readonly number[];
  readonly records: readonly TeamRecord[];
}

/** Of all repositories that were searched for records of the team. */
export const Searched = createContext<readonly SourceFact[]>([]);

/** Names of those that could not be searched for all their teams: then nothing is said to be stated by one only, or by all. */
function useUnsearched(): string {
  const { missing } = summarizeSources(useContext(Searched));
  return missing.map(({ sourceName }) => sourceName).join(', ');
}

export function UnsearchedWarning(): VNode | null {
  const names = useUnsearched();
  if (names === '') return null;
  return (
    <p class="bad reason">
      Not every team of <SourceText text={names} /> could be searched: there may be another key or number.
    </p>
  );
}

/** Who states a fact. Nothing where the page has one record only, whose repository its head names. */
export function StatingRepositories({ places, records }: StatingRepositoriesProps): VNode | null {
  if (records.length === 1) return null;
  const areAllAsked = useUnsearched() === '';
  if (areAllAsked && places.length === records.length)
    return <span class="note"> · all {records.length} records state it</span>;
  const names = places.map((place) => records[place]?.facts.sourceName);
  return (
    <span class="note">
      {areAllAsked && names.length === 1 ? ' · only ' : ' · '}
      <SourceText text={names.join(', ')} /> {names.length === 1 ? 'states it' : 'state it'}
    </span>
  );
}

interface ContradictionProps {
  readonly records: readonly { readonly values: StatedValues }[];
  readonly properties: readonly string[];
}

/** Labels of the properties of which two records have no value in common, and on which a reader acts. */
export function nameContradictions({ records, properties }: ContradictionProps): string {
  const read = ({ values }: { readonly values: StatedValues }): StatedValues =>
    new Map(properties.map((name) => [name, values.get(name) ?? []]));
  return compareRecords(records.map(read))
    .flatMap(({ property, agreement }) => (agreement === 'contradict' ? (labelOf(property) ?? []) : []))
    .join(', ');
}

/** Nothing where the records do not contradict each other. */
export function Contradiction(props: ContradictionProps): VNode | null {
  const names = nameContradictions(props);
  if (names === '') return null;
  return (
    <p class="bad reason">≠ The records contradict each other: {names}. Make sure which is right before you use one.</p>
  );
}
