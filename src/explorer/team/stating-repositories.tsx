import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';
import type { TeamRecord } from './team-model.js';

interface StatingRepositoriesProps {
  /** Of the records that state it, among those of the page. */
  readonly places: readonly number[];
  readonly records: readonly TeamRecord[];
}

/** Who states a fact. Nothing where the page has one record only, whose repository its head names. */
export function StatingRepositories({ places, records }: StatingRepositoriesProps): VNode | null {
  if (records.length === 1) return null;
  if (places.length === records.length) return <span class="note"> · all {records.length} records state it</span>;
  const names = places.map((place) => records[place]?.facts.sourceName);
  return (
    <span class="note">
      {names.length === 1 ? ' · only ' : ' · '}
      <SourceText text={names.join(', ')} />
      {names.length === 1 ? ' states it' : ' state it'}
    </span>
  );
}
