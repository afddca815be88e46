import type { HitKind, HitReason } from '../../search/hit-reasons.js';
import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';
import { groupFingerprint } from '../../identifiers/key-id.js';
import { MAX_SHOWN } from '../layout/long-text.js';
import type { JudgedHit } from '../../search/exact-and-near-hits.js';

const KIND_NAMES: Readonly<Record<HitKind, string>> = {
  name: 'name',
  word: 'word',
  beginning: 'word',
  spelling: 'similar word',
  host: 'host name',
  'e-mail': 'e-mail',
  telephone: 'telephone number',
  key: 'key',
  'as-number': 'autonomous system',
  'ip-range': 'IP range',
};

/** May be in any property, so that the reader needs its name. */
const WORD_KINDS: ReadonlySet<HitKind> = new Set(['word', 'beginning', 'spelling']);

/** A list shows these as the names of a team. */
const SHOWN_NAMES: ReadonlySet<string> = new Set(['short-team-name', 'official-team-name']);

/** What matched, as far as the names of the team do not show it, and what a hit near the searched text lacks. */
export function MatchReasons({ hit }: { readonly hit: JudgedHit | undefined }): VNode | null {
  // A name in another spelling is to be explained.
  const isVisible = ({ kind, property }: HitReason): boolean =>
    SHOWN_NAMES.has(property) && (kind === 'name' || kind === 'word' || kind === 'beginning');
  const { isExact = true, missing = [], reasons = [] } = hit ?? {};
  const shown = reasons.filter((reason) => !isVisible(reason));
  if (shown.length + missing.length === 0) return null;
  const sharesDomain = !isExact && shown.some(({ kind }) => kind === 'host');
  const lacked = missing.length > 0 ? [`without ${missing.join(', ')}`] : [];
  const texts = [...shown.map(describeReason), ...lacked];
  return (
    <p class="match">
      {shown.length > 0 && (sharesDomain ? 'Shares only a domain: ' : 'Matches: ')}
      {texts.map((text, at) => (
        <>
          {at > 0 && '; '}
          <SourceText text={text} max={MAX_SHOWN} />
        </>
      ))}
    </p>
  );
}

/** As people write texts that are compared in another form. */
function describeReason({ kind, property, text }: HitReason): string {
  const written = kind === 'key' ? groupFingerprint(text.toUpperCase()) : kind === 'as-number' ? `AS${text}` : text;
  const place = WORD_KINDS.has(kind) && !SHOWN_NAMES.has(property) ? ` in ${property}` : '';
  return `${KIND_NAMES[kind]} ${written}${place}`;
}
