import type { Log } from '../model/log.js';

/** In this order. */
const INCLUDED_FIELDS = ['resource', 'capability', 'reason', 'detail', 'evidence'];

export class WarningCollector implements Log {
  private readonly warnings = new Map<string, string[]>();

  debug(): void {
    // Commands report no details.
  }

  info(): void {
    // The counts of the report show what succeeded.
  }

  audit(): void {
    // No client queries a command.
  }

  warn(fields: object, message: string): void {
    const fieldMap = new Map<string, unknown>(Object.entries(fields));
    const included = INCLUDED_FIELDS.flatMap((name) => (fieldMap.has(name) ? [String(fieldMap.get(name))] : []));
    const source = String(fieldMap.get('source'));
    this.warnings.set(source, [...this.warningsOf(source), [message, ...included].join(', ')]);
  }

  error(fields: object, message: string): void {
    this.warn(fields, message);
  }

  warningsOf(source: string): readonly string[] {
    return this.warnings.get(source) ?? [];
  }
}
