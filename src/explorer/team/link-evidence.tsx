import type { LinkReason } from '../../gateway/links/team-link.js';
import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';
import { groupFingerprint } from '../../identifiers/key-id.js';
import { readTeamFacts } from './team-facts.js';
import type { TeamView } from './team-model.js';

/** `the same e-mail address cert@example.org, which 9 records have`. */
export function LinkReasons({ reasons }: { readonly reasons: readonly LinkReason[] }): VNode {
  return (
    <>
      {reasons.map((reason, at) => (
        <>
          {at > 0 && '; '}
          {showFact(reason)}
          {reason.holders !== undefined && `, which ${reason.holders.toLocaleString('en')} records have`}
        </>
      ))}
    </>
  );
}

function showFact(reason: LinkReason): readonly (VNode | string)[] {
  switch (reason.kind) {
    case 'key':
      return ['the same key ', <span class="fingerprint">{groupFingerprint(reason.fingerprint)}</span>];
    case 'e-mail':
      return ['the same e-mail address ', <SourceText text={reason.address} />];
    case 'domain-and-name':
      return ['the same domain ', <SourceText text={reason.domain} />, ' and the same name'];
  }
}

/** More are folded: twenty records have up to 190 pairs. */
const MAX_SHOWN = 6;

/** Why the records stand beside each other, pair by pair. */
export function LinkedPairs({ pairs }: Pick<TeamView, 'pairs'>): VNode | null {
  if (pairs.length === 0) return null;
  return (
    <details open={pairs.length <= MAX_SHOWN}>
      <summary>
        These records are probably of one team. Where they differ, no one but the team knows which is right.
      </summary>
      <ul class="key-facts">
        {pairs.map(({ records, reasons }) => (
          <li>
            <SourceText text={records.map((record) => readTeamFacts(record).sourceName).join(' and ')} /> have{' '}
            <LinkReasons reasons={reasons} />.
          </li>
        ))}
      </ul>
    </details>
  );
}
