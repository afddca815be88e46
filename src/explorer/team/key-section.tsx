import { formatIsoDate } from '../../text/date.js';
import type { VNode } from '../../html/html.js';
import { compareRecords } from '../../gateway/links/compare-records.js';
import { SourceText } from '../../html/source-text.js';
import { findEmailAddresses } from '../../identifiers/email-address.js';
import { judgeKeyValidity } from '../../source/keys/key-judgement.js';
import type { ReadableKey } from '../../source/keys/key-judgement.js';
import { CopyButton } from '../layout/copy-button.js';
import { groupFingerprint } from '../../identifiers/key-id.js';
import type { KeyText } from '../../source/keys/key-views.js';
import { QrCode } from './qr-code.js';
import { StatedBy } from './stated-by.js';
import { MAX_ITEMS } from './team-facts.js';
import type { KeyState, TeamRecord, TeamView } from './team-model.js';
import type { TeamKey } from '../../source/keys/team-keys.js';

interface KeyProps {
  readonly view: Pick<TeamView, 'records'>;
  readonly keys: readonly TeamKey[];
  /** Of the repositories of the records. */
  readonly names: readonly string[];
  /** In milliseconds since 1970. */
  readonly now: number;
}

interface KeySectionProps extends KeyProps {
  /** Address of the keys of a record, in the format with this extension. */
  readonly findAddress: (record: TeamRecord, extension: string) => string;
}

/** The key for the team in one line, or why there is none, or the keys of which nobody knows the right one. */
export function KeyToUse({ view: { records }, keys, names, now }: KeyProps): VNode {
  const rows = compareRecords(records.map(({ values }) => values));
  const agreement = rows.find(({ property }) => property === 'enckeys')?.agreement;
  return (
    <>
      {keys.length === 0 &&
        (isWithoutKey(records) ? NO_KEY : <a href="#keys-title">No key can be shown here: see why</a>)}
      {agreement === 'contradict' && (
        <strong class="bad">
          ≠ The records contradict each other. Ask the team which key is right before you use one.
        </strong>
      )}
      {keys.slice(0, MAX_ITEMS).map((key) => (
        <p>
          <a href={`#key-${key.digits}`} class="fingerprint">
            {writeDigits(key.digits)}
          </a>
          {key.read && (
            <>
              {' '}
              <Validity one={key.read} now={now} />
            </>
          )}
          <StatedBy records={key.records} names={names} />
        </p>
      ))}
    </>
  );
}

/** Every key of every record: who states it, whether it is usable, and the key itself. */
export function KeySection({ view, keys, names, now, findAddress }: KeySectionProps): VNode {
  const { records } = view;
  const addresses = records.flatMap(({ values }) => values.get('email') ?? []);
  return (
    <section class="panel keys" aria-labelledby="keys-title">
      <h2 id="keys-title">PGP keys</h2>
      {records.map(({ keyState }, at) => (
        <KeyStateNote keyState={keyState} name={names[at] ?? ''} />
      ))}
      {isWithoutKey(records) && <p class="none">{NO_KEY}</p>}
      {keys.slice(0, MAX_ITEMS).map((key) => (
        <div class="key" id={`key-${key.digits}`}>
          <KeyView teamKey={key} names={names} now={now} addresses={addresses} />
          <KeyFile teamKey={key} records={records} findAddress={findAddress} />
        </div>
      ))}
      {records.map((record, at) => (
        <OtherTexts record={record} name={names[at] ?? ''} keysAsData={findAddress(record, '.json')} />
      ))}
    </section>
  );
}

const NO_KEY = 'No record states a key.';

/** No record states anything as its key, and none may have one that is not known here. */
function isWithoutKey(records: readonly TeamRecord[]): boolean {
  return records.every(
    ({ keyState, keys: { texts, otherFingerprints, otherIds, otherTexts } }) =>
      keyState === 'shown' && [texts, otherFingerprints, otherIds, otherTexts].every(({ length }) => length === 0),
  );
}

/** Keys may exist that the page does not show. */
function KeyStateNote({ keyState, name }: { readonly keyState: KeyState; readonly name: string }): VNode | null {
  if (keyState === 'shown') return null;
  return (
    <p class={`key-state${keyState === 'missing' ? ' bad' : ''}`}>
      <strong>
        <SourceText text={name} /> {KEY_STATES[keyState]}.
      </strong>{' '}
      A key may exist that is not shown here.
    </p>
  );
}

const KEY_STATES: Readonly<Record<Exclude<KeyState, 'shown'>, string>> = {
  missing: 'could not be asked for its keys',
  hidden: 'has keys that are not public here',
  unmatched: 'has no record with keys that is surely of this team',
};

interface KeyViewProps extends Pick<KeyProps, 'names' | 'now'> {
  readonly teamKey: TeamKey;
  /** E-mail addresses of the team, as its records state them. */
  readonly addresses: readonly string[];
}

function KeyView({ teamKey: { digits, records, read }, names, now, addresses }: KeyViewProps): VNode {
  return (
    <>
      <p>
        <span class="fingerprint">{writeDigits(digits)}</span> <CopyButton text={digits} label="fingerprint" />
        <StatedBy records={records} names={names} />
      </p>
      {digits.length < FINGERPRINT && (
        <p class="note">A key id, which is no fingerprint: more than one key can have it.</p>
      )}
      {read === undefined ? (
        <p class="note">No record publishes this key so that it can be read here. Its expiry is not known.</p>
      ) : (
        <ul class="key-facts">
          <li>
            <Agreement agreement={read.agreement} />
          </li>
          <li>
            <Validity one={read} now={now} />
          </li>
          <li>
            Created {formatDayOf(read.createdAt)}
            {read.emails.length > 0 && (
              <>
                {' '}
                for <SourceText text={read.emails.slice(0, MAX_ITEMS).join(', ')} />
              </>
            )}
          </li>
          <OtherAddress emails={read.emails} addresses={addresses} />
        </ul>
      )}
    </>
  );
}

/** Digits of a fingerprint of version 4. */
const FINGERPRINT = 40;

function writeDigits(digits: string): string {
  return digits.length < FINGERPRINT ? `0x${digits}` : groupFingerprint(digits);
}

function OtherAddress({
  emails,
  addresses,
}: {
  readonly emails: readonly string[];
  addresses: readonly string[];
}): VNode | null {
  const known = new Set(addresses.flatMap((text) => findEmailAddresses(text, MAX_ITEMS)));
  if (known.size === 0 || emails.length === 0 || emails.some((email) => known.has(email.toLowerCase()))) return null;
  return (
    <li>
      <strong class="bad">
        ✗ The key is for another address than <SourceText text={[...known].join(', ')} />.
      </strong>
    </li>
  );
}

/** To save the key, to use it with gpg, and to compare the fingerprint with that on another screen. */
function KeyFile({
  teamKey: { digits, publisher },
  records,
  findAddress,
}: { readonly teamKey: TeamKey } & Pick<KeySectionProps, 'findAddress'> & Pick<TeamView, 'records'>): VNode | null {
  const record = publisher === undefined ? undefined : records[publisher];
  if (digits.length < FINGERPRINT) return null;
  return (
    <>
      {record !== undefined && (
        <p class="actions">
          <a class="action" href={findAddress(record, '.asc')} download>
            Save key
          </a>
        </p>
      )}
      <details>
        <summary>{record === undefined ? 'QR code' : 'gpg command and QR code'}</summary>
        {record !== undefined && (
          <pre
            tabindex={0}
            role="region"
            aria-label="Commands for gpg"
          >{`gpg --import SAVED-FILE.asc\ngpg --fingerprint ${digits}\ngpg --armor --encrypt --recipient ${digits} FILE`}</pre>
        )}
        <QrCode text={`OPENPGP4FPR:${digits}`} label={`QR code of the fingerprint ${digits}`} />
      </details>
    </>
  );
}

/** What a record states as its key and what is none, or none that can be shown. */
function OtherTexts({
  record: { keys },
  name,
  keysAsData,
}: {
  readonly record: TeamRecord;
  readonly name: string;
  readonly keysAsData: string;
}): VNode {
  return (
    <>
      {keys.texts.map((text) => (
        <KeyTextNotes text={text} name={name} keysAsData={keysAsData} />
      ))}
      {keys.otherTexts.map((text) => (
        <p class="note">
          <SourceText text={name} /> states this as its key, which is neither a key nor a fingerprint:{' '}
          <SourceText text={text} />
        </p>
      ))}
      {keys.isCut && (
        <p>
          … <SourceText text={name} /> has more: see <a href={keysAsData}>its keys as data</a>.
        </p>
      )}
    </>
  );
}

/** In UTF-16 units. Anything longer is a link. */
const MAX_SHOWN_LENGTH = 2_000;

function KeyTextNotes({
  text: { text, keys, unread },
  name,
  keysAsData,
}: {
  readonly text: KeyText;
  readonly name: string;
  readonly keysAsData: string;
}): VNode | null {
  if (unread.secret > 0 || keys.some(({ isSecret }) => isSecret))
    return (
      <p class="key-state bad">
        <strong>
          <SourceText text={name} /> publishes a secret key, which is not shown here.
        </strong>{' '}
        Use none of its keys, and inform the team.
      </p>
    );
  if (keys.length > 0 && unread.unreadable === 0) return null;
  return (
    <p class="key-state unknown">
      <SourceText text={name} /> publishes {keys.length === 0 ? 'a key that cannot' : 'further keys that cannot'} be
      read here ({text.length.toLocaleString('en')} characters): <a href={keysAsData}>its keys as data</a>. That is no
      proof that it is wrong: it may be of a kind that this gateway does not know.
      {keys.length === 0 && text.length <= MAX_SHOWN_LENGTH && (
        <>
          {' '}
          <SourceText text={text} />
        </>
      )}
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
