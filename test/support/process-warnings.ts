import { setImmediate as nextTurn } from 'node:timers/promises';

/** Warnings and unhandled rejections of the process while a test runs. */
export interface ProcessWarnings {
  /** Stops listening and returns the collected warnings. */
  stop(): Promise<readonly string[]>;
}

/** Listens for warnings of the process and for unhandled rejections. */
export function collectProcessWarnings(): ProcessWarnings {
  const collected: string[] = [];
  const onWarning = (warning: Error): void => {
    collected.push(`warning: ${warning.stack ?? warning.message}`);
  };
  const onRejection = (reason: unknown): void => {
    collected.push(
      `unhandled rejection: ${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}`,
    );
  };
  process.on('warning', onWarning).on('unhandledRejection', onRejection);
  return {
    stop: async () => {
      // Node.js emits both events in a later turn of the event loop than the one that caused them.
      await nextTurn();
      process.off('warning', onWarning).off('unhandledRejection', onRejection);
      return collected;
    },
  };
}
