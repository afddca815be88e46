import type { HitKind, HitReason } from '../../search/hit-reasons.js';
import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';
import { groupFingerprint } from '../team/key-views.js';

/** Properties that a list shows as the names of a team. A word that occurs in them needs no explanation. */
const SHOWN_NAMES: ReadonlySet<string> = new Set(['short-team-name', 'official-team-name']);

/** What matched, in words. Kinds without a text are named by the property in which the words occur. */
const KIND_NAMES: Readonly<Record<HitKind, string | undefined>> = {
  name: undefined,
  word: undefined,
  beginning: undefined,
  spelling: 'similar word',
  host: 'host name',
  'e-mail': 'e-mail',
  telephone: 'telephone number',
  key: 'key',
  'as-number': 'autonomous system',
  'ip-range': 'IP range',
};

/** Forms of texts that are compared in another form than that in which people write them. */
const WRITTEN_FORMS: Partial<Readonly<Record<HitKind, (text: string) => string>>> = {
  key: groupFingerprint,
  'as-number': (text) => `AS${text}`,
};

/** Maximum length of a text that matched, in UTF-16 units. */
const MAX_LENGTH = 200;

/** What matched a search, as far as the names of the team do not show it; nothing where they do. */
export function MatchReasons({ reasons }: { readonly reasons: readonly HitReason[] }): VNode | null {
  const hidden = reasons.filter(({ kind, property }) => KIND_NAMES[kind] !== undefined || !SHOWN_NAMES.has(property));
  if (hidden.length === 0) return null;
  return (
    <p class="match">
      Matches:{' '}
      {hidden.map(({ kind, property, text }, at) => (
        <>
          {at > 0 && '; '}
          {KIND_NAMES[kind] ?? <SourceText text={property} max={MAX_LENGTH} />}{' '}
          <SourceText text={WRITTEN_FORMS[kind]?.(text) ?? text} max={MAX_LENGTH} />
        </>
      ))}
    </p>
  );
}
