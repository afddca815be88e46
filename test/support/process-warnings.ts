import { setImmediate as nextTurn } from 'node:timers/promises';

/** What the process complained of, which fails a test that runs many things in one. */
export interface ProcessWarnings {
  /** Stops listening and gives what was heard. */
  stop(): Promise<readonly string[]>;
}

/** Listens for warnings of the process and for rejections that nobody handles. */
export function collectProcessWarnings(): ProcessWarnings {
  const heard: string[] = [];
  const warned = (warning: Error): void => {
    heard.push(`warning: ${warning.stack ?? warning.message}`);
  };
  const rejected = (reason: unknown): void => {
    heard.push(`unhandled rejection: ${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}`);
  };
  process.on('warning', warned).on('unhandledRejection', rejected);
  return {
    stop: async () => {
      // Both are told in a later turn than the one that caused them.
      await nextTurn();
      process.off('warning', warned).off('unhandledRejection', rejected);
      return heard;
    },
  };
}
