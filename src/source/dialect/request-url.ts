/** Parameters that narrow what is asked of a source, beside the page. */
export type SourceParameters = Readonly<Record<string, string>>;

/** The URL of one page of a resource. The envelope is asked for by name, for upstreams differ in what they do without. */
export function buildPageUrl(
  resource: string,
  page: { readonly offset: number; readonly limit: number },
  more: SourceParameters,
): URL {
  const narrowing = Object.entries(more).map(([name, value]) => `${name}=${encodeURIComponent(value)}&`);
  return new URL(
    `${resource}?${narrowing.join('')}envelope=true&pretty=false&limit=${page.limit}&offset=${page.offset}`,
  );
}

/** The URL of one item's detail. */
export function buildItemUrl(resource: string, id: number): URL {
  return new URL(`${resource}/${id}?envelope=true&pretty=false`);
}
