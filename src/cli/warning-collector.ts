import type { Publish } from '../events/event.js';
import { toLogLine } from '../events/log-lines.js';

/** In this order. */
const INCLUDED_FIELDS = ['resource', 'capability', 'reason', 'detail', 'evidence'];

/** Of a command, by source. The counts of its report show what succeeded. */
export class WarningCollector {
  private readonly warnings = new Map<string, string[]>();

  readonly note: Publish = (event) => {
    const line = toLogLine(event);
    if (line === undefined || !['warn', 'error'].includes(line.level)) return;
    const fields = new Map<string, unknown>(Object.entries(line.facts));
    const included = INCLUDED_FIELDS.flatMap((name) => (fields.has(name) ? [String(fields.get(name))] : []));
    const source = String(fields.get('source'));
    this.warnings.set(source, [...this.warningsOf(source), [line.message, ...included].join(', ')]);
  };

  warningsOf(source: string): readonly string[] {
    return this.warnings.get(source) ?? [];
  }
}
