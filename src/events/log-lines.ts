import type { Log, LogLevel } from '../model/log.js';
import { reportFailureDetail } from '../model/outcome.js';
import type { EventOf, EventType, Publish } from './event.js';

/** Fields come first, then the message (operation 5.1). */
export interface LogLine {
  readonly level: LogLevel | 'audit';
  readonly message: string;
  readonly facts: object;
}

type Level = LogLine['level'];

function line(level: Level, message: string, facts: object): LogLine {
  return { level, message, facts };
}

/** The message is the type, the fields are those of the event. */
function at(level: Level): (event: EventOf) => LogLine {
  return ({ type, ...facts }) => line(level, type, facts);
}

const [debug, info, warn, error] = [at('debug'), at('info'), at('warn'), at('error')];

const none = (): undefined => undefined;

/** By type of event (operation 5). They contain no credentials, keys or tokens. */
const LINES: { readonly [Type in EventType]: (event: EventOf<Type>) => LogLine | undefined } = {
  'request answered': ({ line: facts }) => facts && line('info', 'request', facts),
  'request failed': error,
  'request not admitted': error,
  'request rejected by the router': error,
  'connection closed by a limit': ({ reason, isLogged }) =>
    isLogged ? line('warn', 'connection closed by a limit', { reason }) : undefined,
  'client authenticated': none,
  'credential rejected': none,
  'rate limit exceeded': none,
  'members data sent': at('audit'),
  'issuer unavailable': warn,
  'issuer available again': info,
  'search failed': warn,
  'PGP keys could not be read': warn,
  'source registered': none,
  'request sent': none,
  'source request': ({ source, access, url, status, reason, bytes, milliseconds }) => {
    const cause = status === undefined ? reason : undefined;
    const facts = { source, path: url.pathname, status, reason: cause, bytes, milliseconds };
    return line('debug', 'source request', { ...facts, ...(access && { access }) });
  },
  'fetch finished': describeFetch,
  'feeds combined': none,
  'source queried': none,
  'list refreshed': none,
  'source suspended': (event) => line('warn', 'source suspended', describeSuspension(event)),
  'source resumed': (event) => line('warn', 'source resumed', describeSuspension(event)),
  'certificate seen': none,
  'capability disproved': warn,
  'source returned far fewer records than before': warn,
  'snapshot does not fit into cache.memory and is not cached': warn,
  'source forgotten, because another instance forgot it': info,
  'ids of news collide': warn,
  'keys checked': ({ source, access, keys, findings }) => {
    const facts = { source, keys, findings: Object.fromEntries(findings), ...(access && { access }) };
    return keys > 0 ? line('info', 'keys checked', facts) : undefined;
  },
  'source indexed': debug,
  'records too long to be searched': warn,
  'source not indexed': warn,
  'snapshot adopted': none,
  'entry of the shared memory refused': warn,
  'source removed': none,
  'log line dropped': none,
  listening: info,
  ready: info,
  'readiness checked': none,
  'resources without data': warn,
  'all resources have data': info,
  stopping: info,
  stopped: info,
  'could not start': error,
  'configuration put in force': ({ trigger, sources, changes }) =>
    trigger && line('info', 'configuration reloaded', { trigger, sources, ...changes }),
  'configuration unchanged': ({ trigger, isLogged }) =>
    isLogged ? line('info', 'configuration unchanged', { trigger }) : undefined,
  'configuration not reloaded: the one in force remains': ({ trigger, errors, isLogged }) =>
    isLogged ? line('error', 'configuration not reloaded: the one in force remains', { trigger, errors }) : undefined,
  'source action': info,
  'request of the operator failed': error,
  'pages have no style and no script: dist/client is missing': warn,
  'nothing is traced: the address of the collector is not an http or https URL': warn,
  'a setting of tracing is not used': warn,
  'traces cannot be exported': warn,
  'traces are exported again': info,
  'snapshots restored': info,
  'snapshots written': none,
  'snapshots cannot be saved': warn,
  'snapshots are saved again': info,
  'saved snapshot is damaged and not used': warn,
  'redis-key is missing': ({ warning }) => line('warn', warning, {}),
  'shared memory failed': warn,
  'shared memory answers again': info,
  'shared memory checked': none,
  'this instance counts requests by itself': warn,
  'requests are counted for all instances': info,
};

function describeSuspension({ source, feed, access }: Omit<EventOf<'source suspended'>, 'type'>): object {
  return { source, ...(feed !== undefined && { feed }), ...(access && { access }) };
}

function describeFetch(event: EventOf<'fetch finished'>): LogLine | undefined {
  const { result, source, resource, parameters, outcome, access } = event;
  if (result.kind === 'adopted') return undefined;
  const about = { source, resource: resource.name, ...parameters };
  const rest = { milliseconds: result.milliseconds, ...(access && { access }) };
  switch (result.kind) {
    case 'drained': {
      const { records, bytes, findings, detail, failed } = result.received;
      const counted = {
        records,
        bytes,
        findings: Object.fromEntries(findings),
        ...(detail !== undefined && { detail }),
      };
      const all = { ...about, ...counted, ...(failed && { failed: Object.fromEntries(failed) }), ...rest };
      return line('info', 'source drained', all);
    }
    case 'confirmed':
      return line('debug', 'source confirmed', { ...about, ...rest });
    case 'excluded':
      return line('warn', 'source excluded', { ...about, ...outcome, ...rest });
    case 'failed': {
      const { failure, detail } = result;
      const cause = { reason: failure.reason, ...reportFailureDetail(failure), detail };
      return line('warn', 'source failed', { ...about, ...cause, ...rest });
    }
  }
}

/** Undefined for an event without a line. */
export function toLogLine<Type extends EventType>(event: EventOf<Type>): LogLine | undefined {
  return LINES[event.type](event);
}

export function createLogSubscriber(log: Log): Publish {
  return (event) => {
    const written = toLogLine(event);
    if (written !== undefined) log[written.level](written.facts, written.message);
  };
}
