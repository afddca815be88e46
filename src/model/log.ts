/**
 * Writes log lines: structured fields first, then the message (operation 5.1). The fields must not contain credentials,
 * keys or tokens.
 */
export interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** Returns a log that adds the same fields to each line. */
export function withLogFields(log: Log, fields: object): Log {
  return {
    info: (facts, message) => {
      log.info({ ...facts, ...fields }, message);
    },
    warn: (facts, message) => {
      log.warn({ ...facts, ...fields }, message);
    },
    error: (facts, message) => {
      log.error({ ...facts, ...fields }, message);
    },
  };
}
