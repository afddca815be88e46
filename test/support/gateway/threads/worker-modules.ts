const tsx = import.meta.resolve('tsx/esm/api');

/** A module for a worker thread from JavaScript code. */
export function moduleFromCode(code: string): URL {
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}

/** A module for a worker thread from a TypeScript file in `src`, such as `source/keys/key-reader-thread.ts`. */
export function sourceModule(path: string): URL {
  const { href } = new URL(`../../../../src/${path}`, import.meta.url);
  return moduleFromCode(
    `import { register } from '${tsx}'; register(); export default (await import('${href}')).default;`,
  );
}
