import type { HitKind } from '../../search/hit-reasons.js';
import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';
import { groupFingerprint } from '../../identifiers/key-id.js';
import type { JudgedHit } from '../../search/hit-parts.js';

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

/** In the names of a team, where the reader sees them. Another spelling is to be explained. */
const VISIBLE_KINDS: ReadonlySet<HitKind> = new Set(['name', 'word', 'beginning']);

/** May be in any property, so that the reader needs its name. */
const WORD_KINDS: ReadonlySet<HitKind> = new Set(['word', 'beginning', 'spelling']);

/** A list shows these as the names of a team. */
const SHOWN_NAMES: ReadonlySet<string> = new Set(['short-team-name', 'official-team-name']);

/** As people write texts that are compared in another form. */
const WRITTEN_FORMS: Partial<Readonly<Record<HitKind, (text: string) => string>>> = {
  key: (text) => groupFingerprint(text.toUpperCase()),
  'as-number': (text) => `AS${text}`,
};

/** In UTF-16 units. */
const MAX_LENGTH = 200;

/** What matched, as far as the names of the team do not show it, and what a hit near the searched text lacks. */
export function MatchReasons({ hit }: { readonly hit: JudgedHit | undefined }): VNode | null {
  if (hit === undefined) return null;
  const { isExact, missing } = hit;
  const shown = hit.reasons.filter(({ kind, property }) => !VISIBLE_KINDS.has(kind) || !SHOWN_NAMES.has(property));
  if (shown.length === 0 && missing.length === 0) return null;
  const sharesDomain = !isExact && shown.some(({ kind }) => kind === 'host');
  return (
    <p class="match">
      {shown.length > 0 && (sharesDomain ? 'Shares only a domain: ' : 'Matches: ')}
      {shown.map(({ kind, property, text }, at) => (
        <>
          {at > 0 && '; '}
          {KIND_NAMES[kind]} <SourceText text={WRITTEN_FORMS[kind]?.(text) ?? text} max={MAX_LENGTH} />
          {WORD_KINDS.has(kind) && !SHOWN_NAMES.has(property) && (
            <>
              {' '}
              in <SourceText text={property} max={MAX_LENGTH} />
            </>
          )}
        </>
      ))}
      {missing.length > 0 && (
        <>
          {shown.length > 0 && '; '}without <SourceText text={missing.join(', ')} max={MAX_LENGTH} />
        </>
      )}
    </p>
  );
}
