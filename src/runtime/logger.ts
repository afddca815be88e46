import { pino, stdTimeFunctions } from 'pino';
import type { DestinationStream } from 'pino';
import type { Log } from '../model/log.js';

/**
 * The process's log: JSON lines on standard output, or another open file by its descriptor; readable text when that is a terminal
 * (operation.md). Written synchronously, for an asynchronous destination loses its last lines when the process is told to stop.
 */
export async function createLog(terminal: boolean, dest = 1): Promise<Log> {
  const options = { base: null, timestamp: stdTimeFunctions.isoTime };
  const log = pino(options, terminal ? await createPrettyDestination(dest) : pino.destination({ dest, sync: true }));
  return {
    info: (facts, message) => {
      log.info(facts, message);
    },
    warn: (facts, message) => {
      log.warn(facts, message);
    },
    error: (facts, message) => {
      log.error(facts, message);
    },
  };
}

/** Loaded where it is wanted: most processes write for programs. */
async function createPrettyDestination(destination: number): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty');
  return pretty({ sync: true, colorize: true, destination });
}
