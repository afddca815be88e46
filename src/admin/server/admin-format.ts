import { preferMediaType } from '../../http/request/content-negotiation.js';
import type { AdminRequest } from './admin-route.js';

export const ADMIN_MEDIA_TYPES = {
  json: 'application/json',
  yaml: 'application/yaml',
  html: 'text/html',
  text: 'text/plain',
} as const;

/** The message repeats no value. */
export class ParameterProblem extends Error {}

/**
 * By the parameter `format`, else by Accept; the first format is the default (operation 3.1). Throws a {@link
 * ParameterProblem} for another value.
 */
export function chooseAdminFormat<Format extends keyof typeof ADMIN_MEDIA_TYPES>(
  { parameters, accept }: AdminRequest,
  formats: readonly [Format, ...Format[]],
): Format {
  const [byDefault] = formats;
  const requested = parameters.get('format');
  const isRequested = (format: Format): boolean =>
    requested === null
      ? ADMIN_MEDIA_TYPES[format] ===
        preferMediaType(
          accept,
          formats.map((name) => ADMIN_MEDIA_TYPES[name]),
        )
      : format === requested;
  const found = formats.find(isRequested);
  if (found === undefined && requested !== null) throw new ParameterProblem(`format is one of ${formats.join(', ')}`);
  return found ?? byDefault;
}

/** Throws a {@link ParameterProblem} for an unknown or repeated parameter. */
export function checkParameterNames({ parameters }: AdminRequest, known: readonly string[]): void {
  const names = [...parameters.keys()];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new ParameterProblem(
      `the parameters are ${known.join(', ')}, and one of the request is none of them: percent-encode the & in a value as %26`,
    );
  }
  const repeated = known.find((name) => parameters.getAll(name).length > 1);
  if (repeated !== undefined) throw new ParameterProblem(`${repeated} occurs more than once`);
}
