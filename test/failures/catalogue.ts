import { directory } from '../support/directory-upstream.js';
import * as mischief from '../support/mischief.js';
import { hangs } from '../support/upstream.js';
import type { Asked } from '../support/upstream.js';
import { PAGE, TROUBLED, TTL } from './scene.js';
import type { Scene, Trouble } from './scene.js';

/** One way in which a source fails. What becomes of it stands in docs/failures.md, under the same id. */
export interface Failure {
  readonly id: string;
  /** The trouble, afresh for each scene. */
  readonly trouble: (scene: Scene) => Trouble;
  /** What goes before the answer that is looked at, where more than the trouble does. */
  readonly lead?: (scene: Scene, trouble: Trouble) => Promise<void>;
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
const NEWS = Array.from({ length: 30 }, (_, id) => ({ id, title: mischief.GOSSIP, link: '/news' }));

/** A host name that no resolver takes: a label has at most 63 characters. */
const UNHEARD_OF = `http://${'x'.repeat(64)}.example.org`;

/** Bytes far over the scene's `max-body`. */
const HUGE = 1;

/** Every row of docs/failures.md. */
export const catalogue: readonly Failure[] = [
  { id: 'refused', trouble: ({ deserted }) => deserted },
  { id: 'reset', trouble: () => mischief.resets },
  { id: 'half-body', trouble: () => mischief.halfBody },
  { id: 'unknown-host', trouble: () => UNHEARD_OF },
  { id: 'bad-tls', trouble: ({ tlsless }) => tlsless },
  { id: 'bad-certificate', trouble: ({ untrusted }) => untrusted },
  { id: 'hang', trouble: () => hangs, registered: { timeout: '2s' } },
  { id: 'drip', trouble: () => mischief.drips, registered: { timeout: '2s' } },
  { id: 'error-500', trouble: () => mischief.status(500), detail: { status: 500 } },
  { id: 'busy', trouble: () => mischief.status(503, { 'Retry-After': '0' }), detail: { status: 503 } },
  { id: 'forbidden', trouble: () => mischief.status(403), detail: { status: 403 } },
  { id: 'empty-204', trouble: () => mischief.status(204), detail: { status: 204 } },
  { id: 'partial-206', trouble: () => mischief.body(json(TROUBLED), {}, 206), detail: { status: 206 } },
  { id: 'unasked-304', trouble: () => mischief.status(304), detail: { status: 304 } },
  { id: 'no-http', trouble: () => mischief.speaks(`SSH-2.0-OpenSSH_9.6 ${mischief.GOSSIP}\r\n`) },
  { id: 'html', trouble: () => mischief.body(`<!doctype html><p>${mischief.GOSSIP}`) },
  { id: 'not-utf8', trouble: () => mischief.body(Buffer.from(`{"note":"${mischief.GOSSIP} \xe9"}`, 'latin1')) },
  { id: 'not-a-number', trouble: () => mischief.body(`{"note":"${mischief.GOSSIP}","total":NaN,"data":[]}`) },
  { id: 'unknown-coding', trouble: () => mischief.body(json(TROUBLED), { 'Content-Encoding': 'snappy' }) },
  { id: 'bomb-gzip', trouble: () => mischief.bomb('gzip', HUGE) },
  { id: 'bomb-br', trouble: () => mischief.bomb('br', HUGE) },
  { id: 'endless', trouble: () => mischief.endless },
  { id: 'too-many-values', trouble: () => mischief.body(overfull(1_000_000)), registered: { 'max-body': '16MiB' } },
  { id: 'header-flood', trouble: () => mischief.headerFlood(40_000) },
  { id: 'status-error', trouble: () => mischief.body(json({ status: 'error', message: mischief.GOSSIP, data: [] })) },
  {
    id: 'other-resource',
    trouble: () => mischief.body(json({ status: 'OK', total: 30, data: NEWS })),
    // It gives more than it is asked for: behind that its end is looked for.
    requests: 2,
    detail: { missing: 'short-team-name' },
  },
  { id: 'no-list', trouble: () => mischief.body(json({ status: 'OK', note: mischief.GOSSIP })) },
  { id: 'other-origin', trouble: ({ deserted }) => mischief.redirectsTo(deserted) },
  { id: 'redirect-chain', trouble: () => mischief.redirects(4, directory(TROUBLED)), requests: 4 },
  {
    id: 'broken-page',
    trouble: () => mischief.when(mischief.atOffset(PAGE), mischief.status(500), directory(TROUBLED)),
    // The first page, the broken one twice, the third, and the one behind the total.
    requests: 5,
    detail: { status: 500 },
  },
  {
    id: 'suspended',
    trouble: () => mischief.status(500),
    lead: untilAlmostSuspended,
    requests: 1,
    reason: 'status',
    detail: { status: 500 },
  },
  {
    id: 'shrunk',
    trouble: () => directory(TROUBLED.slice(0, PAGE)),
    lead: afterBetterDays,
    shown: TROUBLED.length,
    line: 'source gave far less than before',
  },
  {
    id: 'emptied',
    trouble: () => directory([]),
    lead: afterBetterDays,
    shown: TROUBLED.length,
    line: 'source gave far less than before',
  },
  {
    id: 'short',
    trouble: () => directory(TROUBLED, { total: PAGE / 2 }),
    shown: TROUBLED.length,
    line: 'source drained',
  },
  { id: 'drifting', trouble: drifting, shown: TROUBLED.length, line: 'source drained' },
  {
    id: 'no-offset',
    trouble: () => directory(TROUBLED, { offset: 'ignored', cap: PAGE }),
    shown: PAGE,
    line: 'source drained',
  },
  {
    id: 'circle',
    trouble: () => directory(TROUBLED, { total: 'absent', records: twoPagesInTurn }),
    shown: 2 * PAGE,
    line: 'source drained',
  },
  { id: 'too-large', trouble: () => directory(TROUBLED, { total: 2_000_000 }), line: 'source drained' },
  {
    id: 'unreadable',
    trouble: () => directory([...TROUBLED, 'a team', null]),
    shown: TROUBLED.length,
    line: 'source drained',
  },
  {
    id: 'upstream',
    trouble: () => directory(TROUBLED, { headers: { 'Source-Status': 'below;state=failed;reason=timeout' } }),
    shown: TROUBLED.length,
    line: 'source drained',
  },
];

/** An envelope whose one record has so many values. */
function overfull(values: number): string {
  return json({
    status: 'OK',
    data: [{ 'short-team-name': mischief.GOSSIP, host: Array.from({ length: values }, () => '') }],
  });
}

/** The first and second page over and over, whatever the offset. */
function twoPagesInTurn({ query }: Asked): readonly unknown[] {
  const page = Math.floor(Number(query.get('offset')) / PAGE);
  const filled = Array.from({ length: page * PAGE }, () => ({}));
  return [...filled, ...TROUBLED.slice((page % 2) * PAGE, ((page % 2) + 1) * PAGE)];
}

/** Counts one more with every request. */
function drifting(): Trouble {
  let total = 0;
  return (asked, response) => {
    directory(TROUBLED, { total: (total += 1) })(asked, response);
  };
}

/** The breaker opens at five failures in a row: two drains have two each, and the next has the fifth. */
async function untilAlmostSuspended(scene: Scene, trouble: Trouble): Promise<void> {
  scene.begin(trouble);
  for (const drain of ['first', 'second']) {
    const { status } = await scene.ask();
    if (status !== 200) throw new Error(`the ${drain} drain was not answered beside the other source`);
    scene.clock.advance(2_000);
  }
}

async function afterBetterDays(scene: Scene, trouble: Trouble): Promise<void> {
  await scene.ask();
  scene.clock.advance(TTL);
  scene.begin(trouble);
}
