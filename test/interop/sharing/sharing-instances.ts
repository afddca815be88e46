import { expect } from 'vitest';
import { serve } from '../../cli/rollcall-process.js';
import type { Program } from '../../cli/rollcall-process.js';
import type { VersionedSource } from './versioned-source.js';

/** A process of Rollcall that may share its memory with others. */
export interface SharingInstance {
  readonly program: Program;
  /** Port that serves clients. */
  readonly port: number;
  /** Address of the admin port. */
  readonly admin: string;
}

/** The configuration of instances over sources, with further sections. */
export function configureSharing(
  sources: readonly VersionedSource[],
  sections: object,
  perSource: object = {},
): object {
  const registered = sources.map(({ name, address }, at) => [
    name.toLowerCase(),
    { number: at + 1, 'source-name': name, directory: address, ...perSource },
  ]);
  return {
    server: { name: 'rollcall.example.org', port: 0, log: 'none' },
    admin: { port: 0 },
    sources: Object.fromEntries(registered) as object,
    ...sections,
  };
}

/**
 * Starts processes with the same configuration, and waits until all are ready. They run the TypeScript sources unless `script`
 * is given.
 */
export function startSharing(count: number, config: object): Promise<readonly SharingInstance[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const program = await serve(config);
      const { public: address, admin } = await program.line('listening');
      await program.line('ready');
      return { program, port: Number(new URL(String(address)).port), admin: String(admin) };
    }),
  );
}

/** Reads the value of a metric of an instance; undefined where it has none. */
export async function readMetric({ admin }: SharingInstance, name: string): Promise<number | undefined> {
  const text = await (await fetch(`${admin}/metrics`)).text();
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length));
}

/** Waits until each instance reports that it reaches the shared memory, or that it does not. */
export async function untilReachable(instances: readonly SharingInstance[], isReachable = true): Promise<void> {
  for (const instance of instances)
    await expect
      .poll(() => readMetric(instance, 'rollcall_shared_memory_up'), { timeout: 20_000 })
      .toBe(isReachable ? 1 : 0);
}

/** A response to a client. */
export interface ClientResponse {
  readonly status: number;
  readonly text: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly sources: string;
}

/** Sends a request to an instance. */
export async function request(
  { port }: SharingInstance,
  target: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<ClientResponse> {
  const response = await fetch(`http://127.0.0.1:${port}${target}`, { headers });
  return {
    status: response.status,
    text: await response.text(),
    etag: response.headers.get('etag'),
    lastModified: response.headers.get('last-modified'),
    sources: response.headers.get('source-status') ?? '',
  };
}
