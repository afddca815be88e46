/** The one way to write a log line: facts first, then what happened. No credential, key or token may be among the facts. */
export interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
