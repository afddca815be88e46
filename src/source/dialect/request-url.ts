/** Except those of the page. */
export type SourceParameters = Readonly<Record<string, string>>;

/** Always sends `envelope`, because sources differ in their default. */
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

export function buildItemUrl(resource: string, id: number): URL {
  return new URL(`${resource}/${id}?envelope=true&pretty=false`);
}
