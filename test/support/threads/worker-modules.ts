const tsx = import.meta.resolve('tsx/esm/api');

/** A module for a worker thread, written as JavaScript. */
export function moduleFromCode(code: string): URL {
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}

/** A module for a worker thread as it stands in `src`, such as `source/key-thread.ts`. */
export function sourceModule(path: string): URL {
  const { href } = new URL(`../../../src/${path}`, import.meta.url);
  return moduleFromCode(
    `import { register } from '${tsx}'; register(); export default (await import('${href}')).default;`,
  );
}
