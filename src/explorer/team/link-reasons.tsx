import type { LinkReason } from '../../gateway/links/team-link.js';
import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';
import { groupFingerprint } from '../../identifiers/key-id.js';

/** `the same e-mail address cert@example.org, which 9 records have`. */
export function LinkReasons({ reasons }: { readonly reasons: readonly LinkReason[] }): VNode {
  return (
    <>
      {reasons.map((reason, at) => (
        <>
          {at > 0 && '; '}
          <Reason reason={reason} />
          {reason.holders !== undefined && `, which ${reason.holders.toLocaleString('en')} records have`}
        </>
      ))}
    </>
  );
}

function Reason({ reason }: { readonly reason: LinkReason }): VNode {
  switch (reason.kind) {
    case 'key':
      return (
        <>
          the same key <span class="fingerprint">{groupFingerprint(reason.fingerprint)}</span>
        </>
      );
    case 'e-mail':
      return (
        <>
          the same e-mail address <SourceText text={reason.address} />
        </>
      );
    case 'domain-and-name':
      return (
        <>
          the same domain <SourceText text={reason.domain} /> and the same name
        </>
      );
  }
}
