import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';

interface StatedByProps {
  /** Places of the records that state it. */
  readonly records: readonly number[];
  /** Of the repositories of all records of the page, by place. */
  readonly names: readonly string[];
}

/** Who states a fact. Nothing where the page has one record only, whose repository its head names. */
export function StatedBy({ records, names }: StatedByProps): VNode | null {
  if (names.length === 1) return null;
  if (records.length === names.length) return <span class="note"> · all {names.length} records state it</span>;
  return (
    <span class="note">
      {' · '}
      {records.length === 1 ? 'only ' : ''}
      <SourceText text={records.map((place) => names[place]).join(', ')} />
      {records.length === 1 ? ' states it' : ' state it'}
    </span>
  );
}
