/** Path of the description of the interfaces for programs (operation 4.2). */
export const OPENAPI_PATH = '/openapi.json';

/** Path of the reference of the interfaces for people. */
export const DOCS_PATH = '/docs';

/**
 * The links of every response of the interfaces to their description (RFC 8631, decisions 2.42). `publicUrl` is the start
 * of public URLs, or empty. `hasDocs`: whether there are pages for people.
 */
export function createDescriptionLinks(publicUrl: string, hasDocs: boolean): string {
  const description = `<${publicUrl}${OPENAPI_PATH}>; rel="service-desc"`;
  return hasDocs ? `${description}, <${publicUrl}${DOCS_PATH}>; rel="service-doc"` : description;
}
