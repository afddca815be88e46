import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, afterEach, beforeAll } from 'vitest';

export interface FaultyDisk {
  /** Every such step fails with the code: `create` a temporary file, `write` to it, `sync`, `rename`, `rm`, `mkdir`, `lock`. */
  readonly fail: (code: string, step: string) => void;
  /** Nothing reaches the disk after so many steps, as if the process were killed. Returns whether it was. */
  readonly killAfter: (steps: number) => () => boolean;
  readonly recover: () => void;
}

/** For the tests of one file. Only steps that change something fail. */
export function useFaultyDisk(): FaultyDisk {
  let beforeStep: (step: string) => void = () => undefined;
  const real = { ...promises };
  const step =
    <V extends unknown[], R>(name: string, run: (...values: V) => Promise<R>) =>
    async (...values: V): Promise<R> => {
      beforeStep(name);
      return run(...values);
    };
  const create = step('create', real.open);
  beforeAll(() => {
    Object.assign(promises, {
      ...{ mkdir: step('mkdir', real.mkdir), rename: step('rename', real.rename), rm: step('rm', real.rm) },
      writeFile: step('lock', real.writeFile),
      open: async (...[path, flags, mode]: Parameters<typeof real.open>) => {
        if (flags !== 'wx') return real.open(path, flags, mode);
        const handle = await create(path, flags, mode);
        const writeFile = step('write', handle.writeFile.bind(handle));
        return Object.assign(handle, { writeFile, sync: step('sync', handle.sync.bind(handle)) });
      },
    });
    syncBuiltinESMExports();
  });
  afterAll(() => {
    Object.assign(promises, real);
    syncBuiltinESMExports();
  });
  const disk: FaultyDisk = {
    fail: (code, failing) => {
      beforeStep = (name) => {
        if (name === failing) throw Object.assign(new Error(code), { code });
      };
    },
    killAfter: (steps) => {
      let left = steps;
      beforeStep = () => {
        left -= 1;
        if (left < 0) throw new Error('killed');
      };
      return () => left < 0;
    },
    recover: () => {
      beforeStep = () => undefined;
    },
  };
  afterEach(() => disk.recover());
  return disk;
}
