import { readFile, rename, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { startUpstream } from '../../../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../../../support/upstream/upstream-server.js';
import { serve } from '../../rollcall-process.js';
import type { Program } from '../../rollcall-process.js';

/** A port that the operating system chooses. */
export const ANY_PORT = { port: 0 };

/** A repository with one team, which answers when `wait` has resolved. */
export interface HeldRepository extends UpstreamServer {
  /** The name of its team. */
  team: string;
  wait: Promise<void>;
}

/** Starts a repository with one team. */
export async function startRepository(team: string): Promise<HeldRepository> {
  const handler: RequestHandler = (request, response) => {
    const name = repository.team;
    void repository.wait.then(() => {
      response.setHeader('Content-Type', 'application/json');
      const isFirst = request.query.get('offset') === '0';
      response.end(JSON.stringify(isFirst ? [{ 'short-team-name': name }] : []));
    });
  };
  const repository: HeldRepository = Object.assign(await startUpstream(handler), { team, wait: Promise.resolve() });
  return repository;
}

/** Rollcall as a process with several workers. */
export interface WorkerGateway {
  readonly program: Program;
  /** URL of the list of teams. */
  readonly teams: string;
  /** URL of the admin port. */
  readonly admin: string;
}

/** Starts Rollcall, and waits until it listens. */
export async function startWorkers(config: object): Promise<WorkerGateway> {
  const program = await serve(config);
  const line = await program.line('listening');
  return { program, teams: `${String(line['public'])}/directory/v1/teams`, admin: String(line['admin']) };
}

/** Starts Rollcall, and waits until it is ready. */
export async function startReadyWorkers(config: object): Promise<WorkerGateway> {
  const gateway = await startWorkers(config);
  await gateway.program.line('ready');
  return gateway;
}

/** A response that was read to its end. */
export interface ReadResponse {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends a request over a connection of its own. Connections are distributed to the workers in turn. */
export function request(url: string): Promise<ReadResponse> {
  return new Promise((resolve, reject) => {
    get(url, { agent: new Agent() }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.on('end', () => {
        resolve({ status: response.statusCode, headers: response.headers, body });
      });
      response.on('error', reject);
    }).on('error', reject);
  });
}

/** Sends so many requests at the same time, each over a connection of its own. */
export function requestMany(url: string, count: number): Promise<readonly ReadResponse[]> {
  return Promise.all(Array.from({ length: count }, () => request(url)));
}

/** The statuses of so many requests at the same time. */
export async function requestStatuses(url: string, count: number): Promise<readonly (number | undefined)[]> {
  return (await requestMany(url, count)).map(({ status }) => status);
}

/** So many statuses 200. */
export const ok = (count: number): readonly number[] => Array.from({ length: count }, () => 200);

/** Numbers of the workers that wrote a line with this message after so many lines. */
export function workersOf({ lines }: Program, message: string, after = 0): readonly unknown[] {
  const found = lines.slice(after).filter(({ msg }) => msg === message);
  return [...new Set(found.map(({ worker }) => worker))].sort();
}

/** Process ids of the workers, in the order of their start. */
export async function childrenOf(pid: number | undefined): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid ?? 0}/task/${pid ?? 0}/children`, 'utf8');
  return text.trim().split(' ').map(Number);
}

/** Whether a process runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Value of a sample of `/metrics`, such as `rollcall_workers`; NaN where it is absent. */
export async function readMetric(admin: string, sample: string): Promise<number> {
  const { body } = await request(`${admin}/metrics`);
  const line = body.split('\n').find((one) => one.startsWith(`${sample} `));
  return Number(line?.split(' ').at(-1));
}

/** Replaces the configuration file at once. */
export async function replaceConfig({ file }: Program, text: string): Promise<void> {
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}
