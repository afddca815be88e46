/** The least severe first (operation 2.3.8). */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const;

export type LogLevel = (typeof logLevels)[number];

/** Fields come first, then the message (operation 5.1). They must not contain credentials, keys or tokens. */
export interface Log {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
  /** Writes a line of the audit log at any level of the log (operation 5.5). */
  audit(facts: object, message: string): void;
}
