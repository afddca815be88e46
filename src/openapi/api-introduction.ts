import { MAX_FILTERS } from '../query/reserved-parameters.js';

/** For a reader of the interfaces, before everything else (decisions 2.42). Text between backticks is code. */
export const introduction = {
  opening:
    'Read-only access to the teams, news items and channels of several sources. Two rules hold for every answer:',
  rules: [
    'An empty answer never means that a source could not be queried. If nothing matches and a source is missing, the response is an error.',
    'Every record keeps its source. Records of different sources are sorted into one list and never merged.',
  ],
  reading: [
    '`Source-Status` states what each source contributed. A response is stale if a source failed and its last successful snapshot is served. It is partial if a source contributed nothing, or possibly not all of its data. An envelope then has `sources` before `data`; `Cache-Control` is `no-cache` or `no-store`. `Prefer: handling=strict` makes both an error.',
    `All requests are GET; HEAD has the same header fields. An extension of the path, such as \`.csv\`, selects a format, otherwise \`Accept\`. A parameter that is unknown, repeated or invalid is an error; one without a value counts as absent; \`_\` is ignored. Filters and searches combine with AND; a query has at most ${MAX_FILTERS} of them.`,
    'Conditions are evaluated as RFC 9110 defines: `If-None-Match` and `If-Modified-Since` lead to a 304, `If-Match` and `If-Unmodified-Since` to a 412.',
    'All examples are fictitious.',
  ],
} as const;

/** As CommonMark, the format of descriptions in OpenAPI. */
export function formatIntroduction(): string {
  const { opening, rules, reading } = introduction;
  return [opening, rules.map((rule, at) => `${at + 1}. ${rule}`).join('\n'), ...reading].join('\n\n');
}
