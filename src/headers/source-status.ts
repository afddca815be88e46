import { parseListParameter, serializeStructuredList } from './structured-list.js';

/** A source, or `*` for several sources that share a member (decisions 6.2). */
export interface SourceStatusMember {
  readonly code: string;
  /** In the order of writing. Text values are tokens. */
  readonly parameters: Readonly<Record<string, string | number>>;
}

/** A structured list (RFC 9651, section 3.1). */
export function serializeSourceStatus(members: readonly SourceStatusMember[]): string {
  return serializeStructuredList(members.map(({ code, parameters }) => ({ name: code, parameters })));
}

/** Empty without a field. A field that is not a structured list returns `unreadable`, which is not a known state. */
export function parseSourceStates(field: string | undefined): readonly string[] {
  if (field === undefined || field.trim() === '') return [];
  try {
    return parseListParameter(field, 'state');
  } catch {
    return ['unreadable'];
  }
}
