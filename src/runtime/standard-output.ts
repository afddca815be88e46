import { getErrorMessage } from '../text/get-error-message.js';

/**
 * Errors of standard output and standard error do not end the process: a reader that leaves early, such as `head`, is
 * no error, and a server serves on (operation 1.2).
 */
export function ignoreOutputErrors(): void {
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error: Error) => {
    if (!isReaderGone(error)) outputError ??= error;
  });
}

/** Except for a reader that left. */
let outputError: Error | undefined;

/** Output to a pipe is written later, and an exit would cut it off. The code is 1 where it could not be written. */
export function exitAfterOutput(code: number): void {
  process.stderr.write('', () => {
    process.stdout.write('', () => {
      // The `error` event follows the callback.
      setImmediate(() => {
        if (outputError === undefined) process.exit(code);
        process.stderr.write(`rollcall: standard output: ${getErrorMessage(outputError)}\n`, () => process.exit(1));
      });
    });
  });
}

function isReaderGone(error: Error): boolean {
  return 'code' in error && error.code === 'EPIPE';
}
