import type { HitKind, HitReason } from '../../search/hit-reasons.js';
import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';
import { groupFingerprint } from '../team/key-views.js';

/** What matched, in words. */
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

/** Kinds of matches in the names of a team that the reader sees there. Another spelling is to be explained. */
const VISIBLE_KINDS: ReadonlySet<HitKind> = new Set(['name', 'word', 'beginning']);

/** Kinds of matches that may be in any property, so that the reader needs its name. */
const WORD_KINDS: ReadonlySet<HitKind> = new Set(['word', 'beginning', 'spelling']);

/** Properties that a list shows as the names of a team. */
const SHOWN_NAMES: ReadonlySet<string> = new Set(['short-team-name', 'official-team-name']);

/** Forms of texts that are compared in another form than that in which people write them. */
const WRITTEN_FORMS: Partial<Readonly<Record<HitKind, (text: string) => string>>> = {
  key: (text) => groupFingerprint(text.toUpperCase()),
  'as-number': (text) => `AS${text}`,
};

/** Maximum length of a text that matched, in UTF-16 units. */
const MAX_LENGTH = 200;

/** What matched a search, as far as the names of the team do not show it; nothing where they do. */
export function MatchReasons({ reasons }: { readonly reasons: readonly HitReason[] }): VNode | null {
  const hidden = reasons.filter(({ kind, property }) => !VISIBLE_KINDS.has(kind) || !SHOWN_NAMES.has(property));
  if (hidden.length === 0) return null;
  return (
    <p class="match">
      Matches:{' '}
      {hidden.map(({ kind, property, text }, at) => (
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
    </p>
  );
}
