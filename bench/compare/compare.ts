import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { SeededRandom } from '../../test/oracle/push-down/random-records.js';
import { compareAnswers, compareMetrics } from './differences.js';
import type { Difference } from './differences.js';
import { send } from './exchange.js';
import type { Received, SentRequest } from './exchange.js';
import { MEMBERS_KEY, buildCommit, startProgram } from './programs.js';
import type { Program } from './programs.js';
import { LISTS, generateRequests } from './random-requests.js';
import type { ComparedRequest, JsonRecord, KnownRecords, ListName } from './random-requests.js';
import { startSources } from './sources.js';
import type { RunningSources } from './sources.js';

/** Phases of a run: all sources are good; some fail or change; some of those recover. */
const PHASES = 3;

/** The run of which every listed change must be seen. */
const DEFAULTS = { seed: '1', count: '10000' };

/** All differences with one signature. */
interface Group {
  count: number;
  readonly example: ComparedRequest | SentRequest;
  readonly difference: Difference;
}

/** The validators of an answer of one program. */
type Validators = Pick<Received['headers'], 'etag' | 'last-modified'>;

async function main(): Promise<number> {
  const options = {
    seed: { type: 'string', default: DEFAULTS.seed },
    count: { type: 'string', default: DEFAULTS.count },
    port: { type: 'string', default: '23100' },
    present: { type: 'string', default: '.' },
  } as const;
  const { seed, count, port, present } = parseArgs({ options }).values;
  const baseline = buildCommit(readFileSync('bench/compare/baseline', 'utf8').trim());
  const sources = await startSources(Number(seed), Number(port));
  const { registrations } = sources;
  const programs: Program[] = [];
  try {
    programs.push(await startProgram(baseline, { name: 'baseline', port: Number(port) + 50, registrations }));
    programs.push(await startProgram(present, { name: 'present program', port: Number(port) + 60, registrations }));
    const groups = await compare(programs, sources, { seed: Number(seed), count: Number(count) });
    return report(groups, seed === DEFAULTS.seed && count === DEFAULTS.count);
  } finally {
    for (const program of programs) await program.stop();
    sources.close();
  }
}

async function compare(
  programs: readonly Program[],
  sources: RunningSources,
  { seed, count }: { readonly seed: number; readonly count: number },
): Promise<ReadonlyMap<string, Group>> {
  const groups = new Map<string, Group>();
  const add = (differences: readonly Difference[], example: SentRequest): void => {
    for (const difference of differences) {
      const group = groups.get(difference.signature) ?? { count: 0, example, difference };
      group.count += 1;
      groups.set(difference.signature, group);
    }
  };
  const sent: ComparedRequest[] = [];
  const validators: (readonly Validators[])[] = [];
  const chance = new SeededRandom(seed);
  let known: KnownRecords = { directory: [], teams: [], news: [], channels: [] };
  for (let phase = 1; phase <= PHASES; phase += 1) {
    if (phase > 1) sources.change();
    for (const program of programs) await actOnSources(program, sources, phase);
    await Promise.all(programs.map(settle));
    known = addRecords(known, await readRecords(programs[0]));
    const statuses = new Map<number, number>();
    const portion = Math.floor((count * phase) / PHASES) - sent.length;
    for (const request of generateRequests(sent, portion, { known, chance })) {
      const own = request.conditionOf === undefined ? undefined : validators[request.conditionOf];
      const each = programs.map((_, at) => addCondition(request, sent.length, own?.[at]));
      const answers = await sendToBoth(programs, each);
      sent.push(request);
      validators.push(
        answers.map(({ headers }) => ({ etag: headers.etag, 'last-modified': headers['last-modified'] })),
      );
      statuses.set(answers[0].status, (statuses.get(answers[0].status) ?? 0) + 1);
      add(compareAnswers(request.target, ...answers), request);
    }
    const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`);
    console.log(`phase ${phase} of ${PHASES}: ${portion} requests (${counts.join(', ')})`);
  }
  const metrics = { method: 'GET', target: '/metrics', headers: {} };
  add(
    compareMetrics(
      ...(await sendToBoth(
        programs.map(({ port }) => ({ port: port + 1 })),
        [metrics, metrics],
      )),
    ),
    metrics,
  );
  return groups;
}

/** Sends the requests to the programs at the same time. An answer that does not come has the status 0. */
async function sendToBoth(
  programs: readonly { readonly port: number }[],
  requests: readonly SentRequest[],
): Promise<[Received, Received]> {
  const answers = programs.map(async ({ port }, at) => {
    const request = requests[at];
    if (request === undefined) throw new Error('no request');
    return send(port, request).catch((error: unknown) => ({
      status: 0,
      headers: {},
      body: Buffer.from(String(error)),
    }));
  });
  return (await Promise.all(answers)) as [Received, Received];
}

async function actOnSources(
  program: Program,
  { registrations, forgotten }: RunningSources,
  phase: number,
): Promise<void> {
  if (phase === 2) for (const code of forgotten) await program.act('forget', code);
  if (phase > 1) for (const code of Object.keys(registrations)) await program.act('refresh', code);
}

/** Queries whose answers need every list at both access levels, and every index. */
const SETTLING: readonly SentRequest[] = ['public', 'members'].flatMap((access) =>
  [
    ...['/directory/v1/teams?limit=1', '/directory/v1/teams?q=a&limit=1', '/directory/v1/teams?country=NO&limit=1'],
    ...[
      '/data/v1/teams?scope=pgp&limit=1',
      '/data/v1/news?limit=1',
      '/data/v1/channels',
      '/directory/v1/search?q=cert',
    ],
    ...[`/data/v1/teams?scope=${access}&limit=1`, `/data/v1/teams?scope=${access}&q=a&limit=1`],
    `/data/v1/search?scope=${access}&q=cert`,
  ].map((target) => ({
    method: 'GET',
    target,
    headers: { Prefer: 'handling=lenient', ...(access === 'members' && { Authorization: `Bearer ${MEMBERS_KEY}` }) },
  })),
);

/** Waits until the states of all sources are the same in two rounds. A failed source is tried again after two seconds. */
async function settle({ name, port }: Program): Promise<void> {
  for (let round = 0, before = ''; round < 20; round += 1) {
    const states: string[] = [];
    for (const request of SETTLING) {
      const { status, headers } = await send(port, request);
      states.push(`${status} ${String(headers['source-status']).replace(/;age=\d+/g, '')}`);
    }
    if (states.join('\n') === before) return;
    before = states.join('\n');
    await wait(2_500);
  }
  throw new Error(`${name}: the states of the sources do not settle`);
}

async function readRecords(program: Program | undefined): Promise<KnownRecords> {
  const read = async (list: ListName): Promise<readonly JsonRecord[]> => {
    const target = `${LISTS[list]}.json?envelope=false&limit=10000`;
    const { body } = await send(program?.port ?? 0, { method: 'GET', target, headers: {} });
    return JSON.parse(body.toString()) as readonly JsonRecord[];
  };
  return {
    directory: await read('directory'),
    teams: await read('teams'),
    news: await read('news'),
    channels: await read('channels'),
  };
}

function addRecords(known: KnownRecords, more: KnownRecords): KnownRecords {
  const add = (list: ListName): readonly JsonRecord[] => [...known[list], ...more[list]];
  return { directory: add('directory'), teams: add('teams'), news: add('news'), channels: add('channels') };
}

function addCondition(
  { method, target, headers, condition }: ComparedRequest,
  number: number,
  own: Validators | undefined,
): SentRequest {
  const { etag, 'last-modified': modified } = own ?? {};
  return {
    method,
    target,
    headers: {
      ...headers,
      'X-Request-Id': `compared-${number}`,
      ...(etag !== undefined && (condition === 'etag' || condition === 'both') && { 'If-None-Match': etag }),
      ...(modified !== undefined &&
        (condition === 'modified' || condition === 'both') && { 'If-Modified-Since': modified }),
      ...(modified !== undefined && condition === 'unmodified' && { 'If-Unmodified-Since': modified }),
    },
  };
}

/** The signatures in back-ticks below `### Contract changes` of the change log. */
function listedSignatures(): ReadonlySet<string> {
  const [, section = ''] =
    /^### Contract changes$(.*?)(?=^##|$(?![\s\S]))/ms.exec(readFileSync('CHANGELOG.md', 'utf8')) ?? [];
  const quoted = [...section.matchAll(/`((?:status|header|body|metric) [^`]+)`/g)];
  return new Set(quoted.map(([, signature = '']) => signature));
}

/** Prints the differences, and returns the exit code. `whole`: every listed change must occur. */
function report(groups: ReadonlyMap<string, Group>, whole: boolean): number {
  const listed = listedSignatures();
  for (const [signature, { count, example, difference }] of groups) {
    const { method, target, headers } = example;
    const condition = 'condition' in example ? ` with its own ${example.condition}` : '';
    console.log(`\n${listed.has(signature) ? 'listed' : 'NOT LISTED'}: ${signature} (${count})`);
    console.log(`  ${method} ${target} ${JSON.stringify(headers)}${condition}`);
    console.log(`  - ${difference.before}\n  + ${difference.after}`);
  }
  const unlisted = [...groups.keys()].filter((signature) => !listed.has(signature));
  const gone = whole ? [...listed].filter((signature) => !groups.has(signature)) : [];
  for (const signature of gone) console.log(`\nLISTED, BUT DOES NOT OCCUR: ${signature}`);
  console.log(`\n${groups.size} kinds of differences, ${unlisted.length} not listed, ${gone.length} listed in vain`);
  return unlisted.length + gone.length === 0 ? 0 : 1;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
process.exitCode = await main();
