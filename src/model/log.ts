/**
 * Writes log lines: structured fields first, then the message (operation 5.1). The fields must not contain credentials,
 * keys or tokens.
 */
export interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
