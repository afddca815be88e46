/** The one way to write a log line: facts first, then what happened. No credential, key or token may be among the facts. */
export interface Log {
  /**
   * `known` are further facts of the line, none of them with a name that `facts` has. Those that are handed in again and again, the same object,
   * are made text once: they must not change.
   */
  info(facts: object, message: string, known?: object): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
