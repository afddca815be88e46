import { formatIsoDate } from '../../text/date.js';
import type { VNode } from '../../html/html.js';
import { CopyButton } from '../layout/copy-button.js';
import { SourceText } from '../../html/source-text.js';
import { groupFingerprint } from './key-views.js';
import type { KeyText, KeyViews } from './key-views.js';
import { judgeKeyValidity } from '../../source/keys/key-judgement.js';
import type { ReadableKey } from '../../source/keys/key-judgement.js';
import type { KeyState } from './team-model.js';

/** In UTF-16 units. Armored keys with many signatures are longer. */
const MAX_KEY_LENGTH = 100_000;

interface KeySectionProps {
  readonly keys: KeyViews;
  readonly keyState: KeyState;
  /** Address of the whole record on the directory interface. */
  readonly whole: string;
  /** Address of the record with its keys. */
  readonly keysAsData: string;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** Fingerprints to compare, whether each key is usable, and the keys themselves. */
export function KeySection({ keys, keyState, whole, keysAsData, now }: KeySectionProps): VNode {
  const { texts, otherFingerprints, otherIds, otherTexts, isCut } = keys;
  const isNone = [texts, otherFingerprints, otherIds, otherTexts].every(({ length }) => length === 0);
  const hasReadable = texts.some((one) => one.keys.length > 0);
  return (
    <section class="panel keys" aria-labelledby="keys-title">
      <h2 id="keys-title">PGP keys</h2>
      <KeyStateNote keyState={keyState} />
      {isNone && keyState === 'shown' && <p class="none">The repository states no key.</p>}
      {texts.map((text) => (
        <KeyTextView text={text} keysAsData={keysAsData} now={now} />
      ))}
      {otherFingerprints.map((fingerprint) => (
        <div class="key">
          <Fingerprint fingerprint={fingerprint} />
          <p class="note">
            {hasReadable
              ? 'Stated by the repository; no key above has this fingerprint.'
              : 'Stated by the repository, which publishes no key that can be read here.'}
          </p>
        </div>
      ))}
      {otherIds.map((id) => (
        <div class="key">
          <p>
            <span class="fingerprint">0x{id}</span> <CopyButton text={`0x${id}`} label="key id" />
          </p>
          <p class="note">A key id, which is no fingerprint: more than one key can have it.</p>
        </div>
      ))}
      {otherTexts.map((text) => (
        <div class="key">
          <p>
            <SourceText text={text} />
          </p>
          <p class="note">Stated by the repository as its key; it is neither a key nor a fingerprint.</p>
        </div>
      ))}
      {isCut && (
        <p>
          … (more: see <a href={whole}>the whole record</a> and <a href={keysAsData}>its keys as data</a>)
        </p>
      )}
    </section>
  );
}

/** Keys may exist that the page does not show. */
function KeyStateNote({ keyState }: { readonly keyState: KeyState }): VNode | null {
  switch (keyState) {
    case 'shown':
      return null;
    case 'missing':
      return (
        <p class="key-state bad">
          <strong>The repository could not be asked for its keys.</strong> A key may exist that is not shown here.
        </p>
      );
    case 'hidden':
      return <p class="key-state">Keys are not public here. A key may exist that is not shown.</p>;
    case 'unmatched':
      return (
        <p class="key-state">
          The data interface of the repository has no record that is surely of this team. A key may exist there that is
          not shown here.
        </p>
      );
  }
}

function KeyTextView({
  text: { text, keys, unread },
  keysAsData,
  now,
}: Pick<KeySectionProps, 'keysAsData' | 'now'> & { text: KeyText }): VNode {
  return (
    <div class="key">
      {keys.length === 0 && (
        <p class="key-state unknown">
          <strong>This key cannot be read here.</strong> That is no proof that it is wrong: it may be of a kind that
          this gateway does not know. Check it with your own program before you use it.
        </p>
      )}
      {unread.secret > 0 && (
        <p class="key-state bad">
          <strong>The repository publishes a secret key here.</strong> Use none of these keys, and inform the team.
        </p>
      )}
      {keys.map((key) => (
        <ReadableKeyView one={key} now={now} />
      ))}
      {keys.length > 0 && unread.unreadable > 0 && (
        <p class="key-state unknown">The text contains {countBlocks(unread.unreadable)} that cannot be read here.</p>
      )}
      {text.length > MAX_KEY_LENGTH ? (
        <p>
          The key is too long for this page: <a href={keysAsData}>the key as data</a>.
        </p>
      ) : (
        <details>
          <summary>The key ({text.length.toLocaleString('en')} characters)</summary>
          <pre tabindex={0} role="region" aria-label="Armored key">
            <SourceText text={text} max={MAX_KEY_LENGTH} />
          </pre>
        </details>
      )}
      <p class="actions">
        <CopyButton text={text} label="the key" /> <a href={keysAsData}>The key as data</a>
      </p>
    </div>
  );
}

function countBlocks(count: number): string {
  return count === 1 ? 'one more key' : `${count.toLocaleString('en')} more keys`;
}

function ReadableKeyView({ one, now }: { readonly one: ReadableKey; readonly now: number }): VNode {
  const { fingerprint, createdAt, emails } = one;
  return (
    <>
      <Fingerprint fingerprint={fingerprint} />
      <ul class="key-facts">
        <li>
          <Agreement agreement={one.agreement} />
        </li>
        <li>
          <Validity one={one} now={now} />
        </li>
        <li>
          Created {formatDayOf(createdAt)}
          {emails.length > 0 && (
            <>
              {' '}
              for <SourceText text={emails.join(', ')} />
            </>
          )}
        </li>
      </ul>
    </>
  );
}

function Fingerprint({ fingerprint }: { readonly fingerprint: string }): VNode {
  return (
    <p>
      <span class="fingerprint">{groupFingerprint(fingerprint)}</span>{' '}
      <CopyButton text={fingerprint} label="fingerprint" />
    </p>
  );
}

function Agreement({ agreement }: Pick<ReadableKey, 'agreement'>): VNode {
  if (agreement === 'agrees')
    return <span class="good">✓ The key has the fingerprint that the repository states.</span>;
  if (agreement === 'unstated') return <>The repository states no fingerprint; this one was computed from the key.</>;
  return (
    <strong class="bad">
      ✗ The key does not have the fingerprint that the repository states. Ask the team which one is right before you use
      either.
    </strong>
  );
}

function Validity({ one, now }: { readonly one: ReadableKey; readonly now: number }): VNode {
  const day = typeof one.expiresAt === 'number' ? formatDayOf(one.expiresAt) : undefined;
  switch (judgeKeyValidity(one, now)) {
    case 'revoked':
      return <strong class="bad">✗ The key is revoked. Do not use it.</strong>;
    case 'unverified':
      return <>Whether it expires cannot be read: no signature of the key says so.</>;
    case 'expired':
      return <strong class="bad">✗ The key expired on {day}. Ask the team for a newer one.</strong>;
    case 'not-yet-valid':
      return (
        <strong class="bad">✗ The key is valid from {formatDayOf(one.createdAt)} on. Programs refuse it before.</strong>
      );
    case 'valid':
      return <span class="good">✓ {day === undefined ? 'It does not expire.' : `Valid until ${day}.`}</span>;
  }
}

function formatDayOf(at: number): string {
  return formatIsoDate({ epochMs: at, precision: 'day' });
}
