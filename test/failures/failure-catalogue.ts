import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import * as faulty from '../support/upstream/faulty-responses.js';
import { neverResponds } from '../support/upstream/upstream-server.js';
import type { UpstreamRequest } from '../support/upstream/upstream-server.js';
import { PAGE, FAULTY_TEAMS, TTL } from './failure-scene.js';
import type { FailureScene, SourceFault } from './failure-scene.js';

/** One way in which a source fails. docs/failures.md describes the consequences under the same id. */
export interface Failure {
  readonly id: string;
  /** Creates the fault for a scene. */
  readonly fault: (scene: FailureScene) => SourceFault;
  /** Steps before the checked response, where setting the fault does not suffice. */
  readonly prepare?: (scene: FailureScene, fault: SourceFault) => Promise<void>;
  /** Requests sent for that response where the source failed; by default as many as the table states. */
  readonly requests?: number;
  /** Records of the source that are shown nevertheless; by default none. */
  readonly shown?: number;
  /** The reason, where the table does not state one. */
  readonly reason?: string;
  /** Further parameters of Source-Status beside the reason; by default none. */
  readonly detail?: object;
  /** Message of the log line; by default `source failed`. */
  readonly line?: string;
  /** Further settings of the source. */
  readonly registered?: object;
}

const json = JSON.stringify;
const NEWS = Array.from({ length: 30 }, (_, id) => ({ id, title: faulty.SOURCE_TEXT, link: '/news' }));

/** A host name that no resolver accepts: a label has at most 63 characters. */
const UNKNOWN_HOST = `http://${'x'.repeat(64)}.example.org`;

/** Mebibytes, far above the scene's `max-body` of 64 KiB. */
const BOMB_SIZE = 1;

/** The rows of docs/failures.md, except those of the catalogues of the data interface, of documents and of feeds. */
export const failureCatalogue: readonly Failure[] = [
  { id: 'refused', fault: ({ unusedOrigin }) => unusedOrigin },
  { id: 'reset', fault: () => faulty.resetConnection },
  { id: 'half-body', fault: () => faulty.halfBody },
  { id: 'unknown-host', fault: () => UNKNOWN_HOST },
  { id: 'bad-tls', fault: ({ plainTextOrigin }) => plainTextOrigin },
  { id: 'bad-certificate', fault: ({ untrustedOrigin }) => untrustedOrigin },
  { id: 'hang', fault: () => neverResponds },
  { id: 'drip', fault: () => faulty.dripBytes },
  { id: 'error-500', fault: () => faulty.status(500), detail: { status: 500 } },
  { id: 'busy', fault: () => faulty.status(503, { 'Retry-After': '0' }), detail: { status: 503 } },
  { id: 'forbidden', fault: () => faulty.status(403), detail: { status: 403 } },
  { id: 'empty-204', fault: () => faulty.status(204), detail: { status: 204 } },
  { id: 'partial-206', fault: () => faulty.body(json(FAULTY_TEAMS), {}, 206), detail: { status: 206 } },
  { id: 'unasked-304', fault: () => faulty.status(304), detail: { status: 304 } },
  { id: 'no-http', fault: () => faulty.rawBytes(`SSH-2.0-OpenSSH_9.6 ${faulty.SOURCE_TEXT}\r\n`) },
  { id: 'html', fault: () => faulty.body(`<!doctype html><p>${faulty.SOURCE_TEXT}`) },
  { id: 'not-utf8', fault: () => faulty.body(Buffer.from(`{"note":"${faulty.SOURCE_TEXT} \xe9"}`, 'latin1')) },
  { id: 'not-a-number', fault: () => faulty.body(`{"note":"${faulty.SOURCE_TEXT}","total":NaN,"data":[]}`) },
  { id: 'unknown-coding', fault: () => faulty.body(json(FAULTY_TEAMS), { 'Content-Encoding': 'snappy' }) },
  { id: 'bomb-gzip', fault: () => faulty.decompressionBomb('gzip', BOMB_SIZE) },
  { id: 'bomb-br', fault: () => faulty.decompressionBomb('br', BOMB_SIZE) },
  { id: 'endless', fault: () => faulty.endlessBody },
  { id: 'too-many-values', fault: () => faulty.body(recordWithValues(100_000)), registered: { 'max-body': '16MiB' } },
  { id: 'header-flood', fault: () => faulty.headerFlood(40_000) },
  { id: 'status-error', fault: () => faulty.body(json({ status: 'error', message: faulty.SOURCE_TEXT, data: [] })) },
  {
    id: 'other-resource',
    fault: () => faulty.body(json({ status: 'OK', total: 30, data: NEWS })),
    // The page is longer than the limit, so the drain also requests the offset behind it.
    requests: 2,
    detail: { missing: 'short-team-name' },
  },
  { id: 'no-list', fault: () => faulty.body(json({ status: 'OK', note: faulty.SOURCE_TEXT })) },
  { id: 'other-origin', fault: ({ unusedOrigin }) => faulty.redirectTo(unusedOrigin) },
  { id: 'redirect-chain', fault: () => faulty.redirectRepeatedly(4, directoryUpstream(FAULTY_TEAMS)), requests: 4 },
  {
    id: 'broken-page',
    fault: () => faulty.when(faulty.atOffset(PAGE), faulty.status(500), directoryUpstream(FAULTY_TEAMS)),
    // The first page, the broken page twice, the third page, and the one behind the total.
    requests: 5,
    detail: { status: 500 },
  },
  {
    id: 'suspended',
    fault: () => faulty.status(500),
    prepare: failUntilAlmostSuspended,
    requests: 1,
    reason: 'status',
    detail: { status: 500 },
  },
  {
    id: 'shrunk',
    fault: () => directoryUpstream(FAULTY_TEAMS.slice(0, PAGE)),
    prepare: failAfterSuccess,
    shown: FAULTY_TEAMS.length,
    line: 'source returned far fewer records than before',
  },
  {
    id: 'emptied',
    fault: () => directoryUpstream([]),
    prepare: failAfterSuccess,
    shown: FAULTY_TEAMS.length,
    line: 'source returned far fewer records than before',
  },
  {
    id: 'short',
    fault: () => directoryUpstream(FAULTY_TEAMS, { total: PAGE / 2 }),
    shown: FAULTY_TEAMS.length,
    line: 'source drained',
  },
  { id: 'drifting', fault: drifting, shown: FAULTY_TEAMS.length, line: 'source drained' },
  {
    id: 'no-offset',
    fault: () => directoryUpstream(FAULTY_TEAMS, { offset: 'ignored', cap: PAGE }),
    shown: PAGE,
    line: 'source drained',
  },
  {
    id: 'circle',
    fault: () => directoryUpstream(FAULTY_TEAMS, { total: 'absent', records: alternatingPages }),
    shown: 2 * PAGE,
    line: 'source drained',
  },
  { id: 'too-large', fault: () => directoryUpstream(FAULTY_TEAMS, { total: 2_000_000 }), line: 'source drained' },
  {
    id: 'unreadable',
    fault: () => directoryUpstream([...FAULTY_TEAMS, 'a team', null]),
    shown: FAULTY_TEAMS.length,
    line: 'source drained',
  },
  {
    id: 'upstream',
    fault: () => directoryUpstream(FAULTY_TEAMS, { headers: { 'Source-Status': 'below;state=failed;reason=timeout' } }),
    shown: FAULTY_TEAMS.length,
    line: 'source drained',
  },
];

/** An envelope with one record that has the given number of values. */
function recordWithValues(values: number): string {
  return json({
    status: 'OK',
    data: [{ 'short-team-name': faulty.SOURCE_TEXT, host: Array.from({ length: values }, () => '') }],
  });
}

/** Alternates between the first and the second page, for any number of pages. */
function alternatingPages({ query }: UpstreamRequest): readonly unknown[] {
  const page = Math.floor(Number(query.get('offset')) / PAGE);
  const filled = Array.from({ length: page * PAGE }, () => ({}));
  return [...filled, ...FAULTY_TEAMS.slice((page % 2) * PAGE, ((page % 2) + 1) * PAGE)];
}

/** Reports a total that grows with every request. */
function drifting(): SourceFault {
  let total = 0;
  return (request, response) => {
    directoryUpstream(FAULTY_TEAMS, { total: (total += 1) })(request, response);
  };
}

/** The breaker opens at five failures in a row: the first two drains have two each, and the next one has the fifth. */
async function failUntilAlmostSuspended(scene: FailureScene, fault: SourceFault): Promise<void> {
  scene.setFault(fault);
  for (const drain of ['first', 'second']) {
    const { status } = await scene.fetchList();
    if (status !== 200) throw new Error(`no response to the ${drain} request`);
    scene.clock.advance(2_000);
  }
}

async function failAfterSuccess(scene: FailureScene, fault: SourceFault): Promise<void> {
  await scene.fetchList();
  scene.clock.advance(TTL);
  scene.setFault(fault);
}
