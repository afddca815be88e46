import { parseListParameter, serializeStructuredList } from './structured-list.js';

/** One member of a Source-Status field (decisions 6.2): a source, or `*` for several sources that share a member. */
export interface SourceStatusMember {
  readonly code: string;
  /** In the order in which they are written. Text values are written as tokens. */
  readonly parameters: Readonly<Record<string, string | number>>;
}

/** Serializes a Source-Status field, a structured list (RFC 9651, section 3.1). */
export function serializeSourceStatus(members: readonly SourceStatusMember[]): string {
  return serializeStructuredList(members.map(({ code, parameters }) => ({ name: code, parameters })));
}

/**
 * Parses the states of a received Source-Status field; empty without a field. A field that is not a structured list
 * returns `unreadable`, which is not a known state.
 */
export function parseSourceStates(field: string | undefined): readonly string[] {
  if (field === undefined || field.trim() === '') return [];
  try {
    return parseListParameter(field, 'state');
  } catch {
    return ['unreadable'];
  }
}
