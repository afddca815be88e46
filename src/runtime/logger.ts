import { pino, stdTimeFunctions } from 'pino';
import type { DestinationStream } from 'pino';
import type { Log } from '../model/log.js';

/**
 * Creates the log of the process (operation 5.1): JSON lines on standard output, or on another open file descriptor;
 * readable text where that is a terminal. Lines are written synchronously: an asynchronous destination loses the last
 * lines when the process is stopped.
 */
export async function createLog(terminal: boolean, dest = 1): Promise<Log> {
  const options = { base: null, timestamp: stdTimeFunctions.isoTime };
  const log = pino(options, terminal ? await createPrettyDestination(dest) : pino.destination({ dest, sync: true }));
  return {
    info: (fields, message) => {
      log.info(fields, message);
    },
    warn: (fields, message) => {
      log.warn(fields, message);
    },
    error: (fields, message) => {
      log.error(fields, message);
    },
  };
}

/** Loaded on demand: most processes do not write to a terminal. */
async function createPrettyDestination(destination: number): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty');
  return pretty({ sync: true, colorize: true, destination });
}
