import { parseListParameter, serializeStructuredList } from './structured-list.js';

/** One member of a Source-Status field (decisions.md, section 6): a source, or `*` for several that share one. */
export interface SourceStatusMember {
  readonly code: string;
  /** In the order in which they are written. Text values are written as tokens. */
  readonly parameters: Readonly<Record<string, string | number>>;
}

/** Writes a Source-Status field: a structured list of RFC 9651. */
export function serializeSourceStatus(members: readonly SourceStatusMember[]): string {
  return serializeStructuredList(members.map(({ code, parameters }) => ({ name: code, parameters })));
}

/** The states that a Source-Status field from outside tells of; where it is no such list, one that nobody knows. */
export function parseSourceStates(field: string | undefined): readonly string[] {
  if (field === undefined || field.trim() === '') return [];
  try {
    return parseListParameter(field, 'state');
  } catch {
    return ['unreadable'];
  }
}
