import { formatIsoDate } from '../../text/date.js';
import type { VNode } from '../../html/html.js';
import { SourceText, toPlainText } from '../../html/source-text.js';
import { findEmailAddresses } from '../../identifiers/email-address.js';
import { judgeKeyValidity } from '../../source/keys/key-judgement.js';
import type { ReadableKey } from '../../source/keys/key-judgement.js';
import { AsStated, LongText } from '../layout/long-text.js';
import { CopyButton } from '../layout/copy-button.js';
import { groupFingerprint } from '../../identifiers/key-id.js';
import type { KeyText } from '../../source/keys/key-views.js';
import { listTeamKeys } from '../../source/keys/team-keys.js';
import type { TeamKey } from '../../source/keys/team-keys.js';
import { QrCode } from './qr-code.js';
import { Contradiction, StatingRepositories, UnsearchedWarning, nameContradictions } from './stating-repositories.js';
import { MAX_ITEMS } from './team-facts.js';
import type { TeamRecord } from './team-model.js';

interface KeysProps {
  readonly records: readonly TeamRecord[];
  /** In milliseconds since 1970. */
  readonly now: number;
}

interface KeyProps extends KeysProps {
  readonly teamKey: TeamKey;
}

/** The key for the team in one line, or why there is none, or the keys of which nobody knows the right one. */
export function KeyToUse({ records, now }: KeysProps): VNode {
  const keys = listShownKeys(records);
  const none = isWithoutKey(records) ? NO_KEY : <a href="#keys-title">No key can be shown here: see why</a>;
  return (
    <>
      {keys.length === 0 && none}
      <Contradiction properties={['enckeys']} records={records} />
      <UnsearchedWarning />
      {keys.slice(0, MAX_ITEMS).map(({ digits, read, records: places }) => (
        <p>
          <a href={`#key-${digits}`} class="fingerprint">
            {writeDigits(digits)}
          </a>{' '}
          {judgeKey(read, { records, now }).slice(0, 1).map(showFinding)}
          <StatingRepositories places={places} records={records} />
        </p>
      ))}
    </>
  );
}

export function listShownKeys(records: readonly TeamRecord[]): readonly TeamKey[] {
  return listTeamKeys(records.map(({ keys }) => keys));
}

interface KeySectionProps extends KeysProps {
  /** Address of the keys of a record, in the format with this extension. */
  readonly findAddress: (record: TeamRecord, extension: string) => string;
}

/** Every key of every record: who states it, whether it is usable, and the key itself. */
export function KeySection({ records, now, findAddress }: KeySectionProps): VNode {
  return (
    <section class="panel keys" aria-labelledby="keys-title">
      <h2 id="keys-title">PGP keys</h2>
      {isWithoutKey(records) && <p class="none">{NO_KEY}</p>}
      {listShownKeys(records)
        .slice(0, MAX_ITEMS)
        .map((teamKey) => (
          <div class="key" id={`key-${teamKey.digits}`}>
            <KeyDescription teamKey={teamKey} records={records} now={now} />
            <KeyFile teamKey={teamKey} records={records} now={now} findAddress={findAddress} />
          </div>
        ))}
      {records.map((record) => (
        <KeyNotes record={record} keysAsData={findAddress(record, '.json')} />
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

/** Who states a key, until when it is valid, and for which addresses it is. */
export function KeyDescription({ teamKey: { digits, records: places, read }, records, now }: KeyProps): VNode {
  const emails = read?.emails ?? [];
  return (
    <>
      <p>
        <span class="fingerprint">{writeDigits(digits)}</span> <CopyButton text={digits} label="fingerprint" />
        <StatingRepositories places={places} records={records} />
      </p>
      {digits.length < FINGERPRINT && (
        <p class="note">A key id, which is no fingerprint: more than one key can have it.</p>
      )}
      {read === undefined ? (
        <p class="note">No record publishes this key so that it can be read here. Its expiry is not known.</p>
      ) : (
        <ul class="key-facts">
          {judgeKey(read, { records, now }).map((finding) => (
            <li>{showFinding(finding)}</li>
          ))}
          <li>
            Created {formatDayOf(read.createdAt)}
            {emails.length > 0 && ' for '}
            <SourceText text={emails.slice(0, MAX_ITEMS).join(', ')} />
          </li>
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

/** What speaks for a key (✓), against it (✗), or neither. */
type Finding = readonly [mark: '✓' | '✗' | '', text: string];

/** What speaks against a key comes first. Beside it, or where the records state different keys, nothing speaks for it. */
function judgeKey(one: ReadableKey | undefined, { records, now }: KeysProps): readonly Finding[] {
  if (one === undefined) return [];
  const found = [judgeExpiry(one, now), judgeAgreement(one), ...judgeAddresses(one, records)];
  const bad = found.filter(([mark]) => mark === '✗');
  const others = found.filter(([mark]) => mark !== '✗');
  const isDoubtful = bad.length > 0 || nameContradictions({ records, properties: ['enckeys'] }) !== '';
  return isDoubtful ? [...bad, ...others.map(([, text]) => ['', text] as const)] : others;
}

function showFinding([mark, text]: Finding): VNode {
  return <span class={{ '✓': 'good', '✗': 'bad reason', '': 'kind' }[mark]}>{`${mark} ${text}`.trim()}</span>;
}

/** None of the addresses of a key is one of the team, as its records state them. */
function judgeAddresses({ emails }: ReadableKey, records: KeysProps['records']): readonly Finding[] {
  const stated = records.flatMap(({ values }) => values.get('email') ?? []);
  const known = new Set(stated.flatMap((text) => findEmailAddresses(text, MAX_ITEMS)));
  if (known.size === 0 || emails.length === 0 || emails.some((email) => known.has(email.toLowerCase()))) return [];
  return [['✗', `The key is for another address than ${toPlainText([...known].join(', '))}.`]];
}

/** To save the key, to use it with gpg, and to compare the fingerprint with that on another screen. */
function KeyFile({
  teamKey: { digits, read, publisher = -1 },
  records,
  now,
  findAddress,
}: KeyProps & KeySectionProps): VNode | null {
  const record = records[publisher];
  const isBad = judgeKey(read, { records, now }).some(([mark]) => mark === '✗');
  if (digits.length < FINGERPRINT) return null;
  return (
    <>
      {record !== undefined && (
        <p class="actions">
          <a class="action" href={findAddress(record, '.asc')} download>
            Save key{isBad && <strong class="bad"> in spite of the ✗ above</strong>}
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

interface KeyNotesProps {
  readonly record: TeamRecord;
  readonly keysAsData: string;
}

/** What a record states as its key that is none, or cannot be shown; and whether it may have others. */
function KeyNotes({ record, keysAsData }: KeyNotesProps): VNode {
  const { facts, keys } = record;
  const name = <SourceText text={facts.sourceName} />;
  return (
    <>
      <KeyStateNote record={record} />
      {keys.texts.map((text) => (
        <UnshownKeys text={text} name={name} keysAsData={keysAsData} />
      ))}
      {keys.otherTexts.map((text) => (
        <div class="note">
          {name} states this as its key, which is neither a key nor a fingerprint, <AsStated text={text} />
        </div>
      ))}
      {keys.isCut && (
        <p>
          … {name} has more: see <a href={keysAsData}>its keys as data</a>.
        </p>
      )}
    </>
  );
}

/** Keys may exist that the page does not show. */
export function KeyStateNote({ record: { facts, keyState } }: Pick<KeyNotesProps, 'record'>): VNode | null {
  if (keyState === 'shown') return null;
  const states = {
    missing: 'could not be asked for its keys',
    hidden: 'has keys that are not public here',
    unmatched: 'has no record with keys that is surely of this team',
  };
  return (
    <p class={`key-state${keyState === 'missing' ? ' bad' : ''}`}>
      <strong>
        <SourceText text={facts.sourceName} /> {states[keyState]}.
      </strong>{' '}
      A key may exist that is not shown here.
    </p>
  );
}

function UnshownKeys({
  text: { text, keys, unread },
  name,
  keysAsData,
}: Pick<KeyNotesProps, 'keysAsData'> & { readonly text: KeyText; readonly name: VNode }): VNode | null {
  if (unread.secret > 0 || keys.some(({ isSecret }) => isSecret))
    return (
      <p class="key-state bad">
        <strong>{name} publishes a secret key, which is not shown here.</strong> Use none of its keys, and inform the
        team.
      </p>
    );
  if (keys.length > 0 && unread.unreadable === 0) return null;
  return (
    <div class="key-state">
      {name} publishes {keys.length === 0 ? 'a key that cannot' : 'further keys that cannot'} be read here (
      {text.length.toLocaleString('en')} characters): <a href={keysAsData}>its keys as data</a>. That is no proof that
      it is wrong: it may be of a kind that this gateway does not know.{' '}
      {keys.length === 0 && <LongText text={text} whole={keysAsData} />}
    </div>
  );
}

function judgeAgreement({ agreement }: ReadableKey): Finding {
  if (agreement === 'agrees') return ['✓', 'The key has the fingerprint that the repository states.'];
  if (agreement === 'unstated')
    return ['', 'The repository states no fingerprint; this one was computed from the key.'];
  const advice = 'Ask the team which one is right before you use either.';
  return ['✗', `The key does not have the fingerprint that the repository states. ${advice}`];
}

function judgeExpiry(one: ReadableKey, now: number): Finding {
  const day = typeof one.expiresAt === 'number' ? formatDayOf(one.expiresAt) : undefined;
  const validity = judgeKeyValidity(one, now);
  if (validity === 'unverified') return ['', 'Whether it expires cannot be read: no signature of the key says so.'];
  if (validity === 'valid') return ['✓', day === undefined ? 'It does not expire.' : `Valid until ${day}.`];
  const faults = {
    revoked: 'is revoked. Do not use it.',
    expired: `expired on ${day ?? ''}. Ask the team for a newer one.`,
    'not-yet-valid': `is valid from ${formatDayOf(one.createdAt)} on. Programs refuse it before.`,
  };
  return ['✗', `The key ${faults[validity]}`];
}

function formatDayOf(at: number): string {
  return formatIsoDate({ epochMs: at, precision: 'day' });
}
