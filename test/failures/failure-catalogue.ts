import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import * as faulty from '../support/upstream/faulty-responses.js';
import { neverResponds } from '../support/upstream/upstream-server.js';
import type { UpstreamRequest } from '../support/upstream/upstream-server.js';
import { PAGE, FAULTY_TEAMS, TTL } from './failure-scene.js';
import type { FailureScene, SourceFault } from './failure-scene.js';

/** One way in which a source fails. What becomes of it stands in docs/failures.md, under the same id. */
export interface Failure {
  readonly id: string;
  /** The trouble, afresh for each scene. */
  readonly trouble: (scene: FailureScene) => SourceFault;
  /** What goes before the answer that is looked at, where more than the trouble does. */
  readonly lead?: (scene: FailureScene, trouble: SourceFault) => Promise<void>;
  /** Requests sent for that answer where it failed; by default as many as the table tells. */
  readonly requests?: number;
  /** Records of the source that are shown nevertheless; by default none. */
  readonly shown?: number;
  /** The reason, where the table leaves it to what went before. */
  readonly reason?: string;
  /** What a client is told beside the reason; by default nothing. */
  readonly detail?: object;
  /** The line of the log; by default `source failed`. */
  readonly line?: string;
  /** How the source is registered, where that matters. */
  readonly registered?: object;
}

const json = JSON.stringify;
const NEWS = Array.from({ length: 30 }, (_, id) => ({ id, title: faulty.SOURCE_TEXT, link: '/news' }));

/** A host name that no resolver takes: a label has at most 63 characters. */
const UNHEARD_OF = `http://${'x'.repeat(64)}.example.org`;

/** Bytes far over the scene's `max-body`. */
const HUGE = 1;

/** Every row of docs/failures.md. */
export const failureCatalogue: readonly Failure[] = [
  { id: 'refused', trouble: ({ deserted }) => deserted },
  { id: 'reset', trouble: () => faulty.resetConnection },
  { id: 'half-body', trouble: () => faulty.halfBody },
  { id: 'unknown-host', trouble: () => UNHEARD_OF },
  { id: 'bad-tls', trouble: ({ tlsless }) => tlsless },
  { id: 'bad-certificate', trouble: ({ untrusted }) => untrusted },
  { id: 'hang', trouble: () => neverResponds, registered: { timeout: '2s' } },
  { id: 'drip', trouble: () => faulty.dripBytes, registered: { timeout: '2s' } },
  { id: 'error-500', trouble: () => faulty.status(500), detail: { status: 500 } },
  { id: 'busy', trouble: () => faulty.status(503, { 'Retry-After': '0' }), detail: { status: 503 } },
  { id: 'forbidden', trouble: () => faulty.status(403), detail: { status: 403 } },
  { id: 'empty-204', trouble: () => faulty.status(204), detail: { status: 204 } },
  { id: 'partial-206', trouble: () => faulty.body(json(FAULTY_TEAMS), {}, 206), detail: { status: 206 } },
  { id: 'unasked-304', trouble: () => faulty.status(304), detail: { status: 304 } },
  { id: 'no-http', trouble: () => faulty.rawBytes(`SSH-2.0-OpenSSH_9.6 ${faulty.SOURCE_TEXT}\r\n`) },
  { id: 'html', trouble: () => faulty.body(`<!doctype html><p>${faulty.SOURCE_TEXT}`) },
  { id: 'not-utf8', trouble: () => faulty.body(Buffer.from(`{"note":"${faulty.SOURCE_TEXT} \xe9"}`, 'latin1')) },
  { id: 'not-a-number', trouble: () => faulty.body(`{"note":"${faulty.SOURCE_TEXT}","total":NaN,"data":[]}`) },
  { id: 'unknown-coding', trouble: () => faulty.body(json(FAULTY_TEAMS), { 'Content-Encoding': 'snappy' }) },
  { id: 'bomb-gzip', trouble: () => faulty.decompressionBomb('gzip', HUGE) },
  { id: 'bomb-br', trouble: () => faulty.decompressionBomb('br', HUGE) },
  { id: 'endless', trouble: () => faulty.endlessBody },
  { id: 'too-many-values', trouble: () => faulty.body(overfull(1_000_000)), registered: { 'max-body': '16MiB' } },
  { id: 'header-flood', trouble: () => faulty.headerFlood(40_000) },
  { id: 'status-error', trouble: () => faulty.body(json({ status: 'error', message: faulty.SOURCE_TEXT, data: [] })) },
  {
    id: 'other-resource',
    trouble: () => faulty.body(json({ status: 'OK', total: 30, data: NEWS })),
    // It gives more than it is asked for: behind that its end is looked for.
    requests: 2,
    detail: { missing: 'short-team-name' },
  },
  { id: 'no-list', trouble: () => faulty.body(json({ status: 'OK', note: faulty.SOURCE_TEXT })) },
  { id: 'other-origin', trouble: ({ deserted }) => faulty.redirectTo(deserted) },
  { id: 'redirect-chain', trouble: () => faulty.redirectRepeatedly(4, directoryUpstream(FAULTY_TEAMS)), requests: 4 },
  {
    id: 'broken-page',
    trouble: () => faulty.when(faulty.atOffset(PAGE), faulty.status(500), directoryUpstream(FAULTY_TEAMS)),
    // The first page, the broken one twice, the third, and the one behind the total.
    requests: 5,
    detail: { status: 500 },
  },
  {
    id: 'suspended',
    trouble: () => faulty.status(500),
    lead: untilAlmostSuspended,
    requests: 1,
    reason: 'status',
    detail: { status: 500 },
  },
  {
    id: 'shrunk',
    trouble: () => directoryUpstream(FAULTY_TEAMS.slice(0, PAGE)),
    lead: afterBetterDays,
    shown: FAULTY_TEAMS.length,
    line: 'source returned far fewer records than before',
  },
  {
    id: 'emptied',
    trouble: () => directoryUpstream([]),
    lead: afterBetterDays,
    shown: FAULTY_TEAMS.length,
    line: 'source returned far fewer records than before',
  },
  {
    id: 'short',
    trouble: () => directoryUpstream(FAULTY_TEAMS, { total: PAGE / 2 }),
    shown: FAULTY_TEAMS.length,
    line: 'source drained',
  },
  { id: 'drifting', trouble: drifting, shown: FAULTY_TEAMS.length, line: 'source drained' },
  {
    id: 'no-offset',
    trouble: () => directoryUpstream(FAULTY_TEAMS, { offset: 'ignored', cap: PAGE }),
    shown: PAGE,
    line: 'source drained',
  },
  {
    id: 'circle',
    trouble: () => directoryUpstream(FAULTY_TEAMS, { total: 'absent', records: twoPagesInTurn }),
    shown: 2 * PAGE,
    line: 'source drained',
  },
  { id: 'too-large', trouble: () => directoryUpstream(FAULTY_TEAMS, { total: 2_000_000 }), line: 'source drained' },
  {
    id: 'unreadable',
    trouble: () => directoryUpstream([...FAULTY_TEAMS, 'a team', null]),
    shown: FAULTY_TEAMS.length,
    line: 'source drained',
  },
  {
    id: 'upstream',
    trouble: () =>
      directoryUpstream(FAULTY_TEAMS, { headers: { 'Source-Status': 'below;state=failed;reason=timeout' } }),
    shown: FAULTY_TEAMS.length,
    line: 'source drained',
  },
];

/** An envelope whose one record has so many values. */
function overfull(values: number): string {
  return json({
    status: 'OK',
    data: [{ 'short-team-name': faulty.SOURCE_TEXT, host: Array.from({ length: values }, () => '') }],
  });
}

/** The first and second page over and over, whatever the offset. */
function twoPagesInTurn({ query }: UpstreamRequest): readonly unknown[] {
  const page = Math.floor(Number(query.get('offset')) / PAGE);
  const filled = Array.from({ length: page * PAGE }, () => ({}));
  return [...filled, ...FAULTY_TEAMS.slice((page % 2) * PAGE, ((page % 2) + 1) * PAGE)];
}

/** Counts one more with every request. */
function drifting(): SourceFault {
  let total = 0;
  return (asked, response) => {
    directoryUpstream(FAULTY_TEAMS, { total: (total += 1) })(asked, response);
  };
}

/** The breaker opens at five failures in a row: two drains have two each, and the next has the fifth. */
async function untilAlmostSuspended(scene: FailureScene, trouble: SourceFault): Promise<void> {
  scene.begin(trouble);
  for (const drain of ['first', 'second']) {
    const { status } = await scene.ask();
    if (status !== 200) throw new Error(`the ${drain} drain was not answered beside the other source`);
    scene.clock.advance(2_000);
  }
}

async function afterBetterDays(scene: FailureScene, trouble: SourceFault): Promise<void> {
  await scene.ask();
  scene.clock.advance(TTL);
  scene.begin(trouble);
}
