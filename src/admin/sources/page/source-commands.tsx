import type { VNode } from '../../../html/html.js';
import type { SourceKind } from '../../../lists/status/source-status.js';

interface SourceActionsProps {
  readonly code: string;
  readonly kind: SourceKind;
  /** Of the admin port; undefined: no key is configured, so that there are no actions. */
  readonly actionsAt: string | undefined;
  readonly isDoubted: boolean;
}

/** A document is not probed (operation 1.5.1). */
const PROBE_MEANINGS = {
  interfaces: 'Find out what the source supports, by draining its lists',
  feeds: 'Find out whether the feeds can be read and revalidated',
} as const;

/** Commands, because a page without a script cannot send the key, which no cookie holds. */
export function SourceActions({ code, kind, actionsAt, isDoubted }: SourceActionsProps): VNode {
  if (actionsAt === undefined) {
    return (
      <p>
        Actions are disabled, because the configuration has no <code>admin.key-sha256</code>.
      </p>
    );
  }
  const actions = [
    ['refresh', 'Fetch all lists now'],
    ...(kind === 'document' ? [] : [['probe', PROBE_MEANINGS[kind]]]),
    ...(isDoubted ? [['confirm-shrink', 'Accept the smaller number of records']] : []),
    ['forget', 'Forget what the source sent: clients get none of its records until it answers'],
  ];
  return (
    <>
      <h3>Actions</h3>
      <dl>
        {actions.map(([name = '', meaning]) => (
          <>
            <dt>{meaning}</dt>
            <dd>
              <pre class="wrapped">{formatCommand(`${actionsAt}/sources/${code}/${name}`)}</pre>
            </dd>
          </>
        ))}
      </dl>
      <p class="muted">ROLLCALL_ADMIN_KEY is the key of which admin.key-sha256 is the hash.</p>
    </>
  );
}

function formatCommand(address: string): string {
  return `curl -X POST -H "Authorization: Bearer $ROLLCALL_ADMIN_KEY" ${address}`;
}
