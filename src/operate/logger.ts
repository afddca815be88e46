import { pino, stdTimeFunctions } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import { systemClock } from '../model/clock.js';
import type { Log } from '../model/log.js';

/**
 * The process's log: JSON lines on standard output, or another open file by its descriptor; readable text when that is a terminal
 * (operation.md). Written synchronously, for an asynchronous destination loses its last lines when the process is told to stop.
 */
export async function createLog(terminal: boolean, dest = 1): Promise<Log> {
  const options = { base: null, timestamp: timestamps() };
  const log = pino(options, terminal ? await readable(dest) : pino.destination({ dest, sync: true }));
  const telling = tellers(log);
  return {
    info: (facts, message, known) => {
      (known === undefined ? log : telling(known)).info(facts, message);
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
async function readable(destination: number): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty');
  return pretty({ sync: true, colorize: true, destination });
}

/** A logger for each object of facts, which has their text, for as long as somebody has the object. */
function tellers(log: Logger): (known: object) => Logger {
  const tellers = new WeakMap<object, Logger>();
  return (known) => {
    const teller = tellers.get(known);
    if (teller !== undefined) return teller;
    const made = log.child(known);
    tellers.set(known, made);
    return made;
  };
}

/** The member of a line that tells its time; lines of one millisecond share it, for to write a date costs as much as half of a line. */
function timestamps(): () => string {
  let last = NaN;
  let text = '';
  return () => {
    const now = systemClock.now();
    if (now !== last) text = stdTimeFunctions.isoTime();
    last = now;
    return text;
  };
}
