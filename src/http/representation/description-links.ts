export const OPENAPI_PATH = '/openapi.json';

export const DOCS_PATH = '/docs';

/**
 * RFC 8631, decisions 2.42. `publicUrl` is the start of public URLs, or empty. `hasDocs`: there are pages for people.
 */
export function createDescriptionLinks(publicUrl: string, hasDocs: boolean): string {
  const description = `<${publicUrl}${OPENAPI_PATH}>; rel="service-desc"`;
  return hasDocs ? `${description}, <${publicUrl}${DOCS_PATH}>; rel="service-doc"` : description;
}
