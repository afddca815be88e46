import type { SourceFact } from '../answer/source-facts.js';
import type { VNode } from '../../html/html.js';
import { formatCheckedAt } from './source-notice.js';
import { SourceText } from '../../html/source-text.js';

const STATE_NAMES: Readonly<Record<SourceFact['state'], string>> = {
  fresh: 'answered',
  stale: 'earlier copy',
  partial: 'partial',
  inconsistent: 'inconsistent',
  failed: 'failed',
  suspended: 'suspended',
  excluded: 'not asked',
};

/** State, age and number of records of each repository on which a page rests. */
export function SourceTable({ facts, now }: { readonly facts: readonly SourceFact[]; readonly now: number }): VNode {
  return (
    <div class="rests-on">
      <h2 id="rests-on">What this page rests on</h2>
      <div class="scroll" tabindex={0} role="region" aria-labelledby="rests-on">
        <table>
          <thead>
            <tr>
              <th scope="col">Repository</th>
              <th scope="col">State</th>
              <th scope="col" class="number">
                Records
              </th>
              <th scope="col">Confirmed</th>
            </tr>
          </thead>
          <tbody>
            {facts.map(({ sourceName, state, reason, records, verifiedAt }) => (
              <tr>
                <th scope="row">
                  <SourceText text={sourceName} />
                </th>
                <td data-label="State">
                  {STATE_NAMES[state]}
                  {reason !== undefined && `: ${reason}`}
                </td>
                <td class="number" data-label="Records">
                  {records?.toLocaleString('en') ?? '–'}
                </td>
                <td data-label="Confirmed">{verifiedAt === undefined ? '–' : formatCheckedAt(verifiedAt, now)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
