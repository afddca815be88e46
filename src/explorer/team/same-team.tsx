import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';
import { summarizeSources } from '../answer/source-facts.js';
import { LinkReasons } from './link-reasons.js';
import { readTeamFacts } from './team-facts.js';
import type { TeamView } from './team-model.js';

interface SameTeamProps {
  readonly view: Pick<TeamView, 'pairs' | 'facts'>;
}

/** Which repositories may have more records of the team. */
export function UnsearchedSources({ view: { pairs, facts } }: SameTeamProps): VNode | null {
  const unsearched = summarizeSources(facts).missing;
  if (unsearched.length === 0)
    return pairs.length > 0 ? null : <p class="none">No record of another repository is clearly of the same team.</p>;
  return (
    <p class="key-state">
      There may be more{pairs.length > 0 && ', and a link may be wrong'}: not every team of{' '}
      <SourceText text={unsearched.map(({ sourceName }) => sourceName).join(', ')} /> could be searched.
    </p>
  );
}

/** Before those to open. Twenty records have up to 190 pairs. */
const MAX_SHOWN = 6;

/** Why the records stand beside each other, pair by pair. */
export function LinkedPairs({ view: { pairs } }: SameTeamProps): VNode | null {
  if (pairs.length === 0) return null;
  const items = pairs.map(({ records, reasons }) => (
    <li>
      <SourceText text={records.map((record) => readTeamFacts(record).sourceName).join(' and ')} /> have{' '}
      <LinkReasons reasons={reasons} />.
    </li>
  ));
  return (
    <>
      <p>These records are probably of one team. Where they differ, no one but the team knows which is right.</p>
      <ul class="key-facts">{items.slice(0, MAX_SHOWN)}</ul>
      {items.length > MAX_SHOWN && (
        <details>
          <summary>{items.length - MAX_SHOWN} more pairs</summary>
          <ul class="key-facts">{items.slice(MAX_SHOWN)}</ul>
        </details>
      )}
    </>
  );
}
