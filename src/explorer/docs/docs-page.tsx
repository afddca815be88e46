import { describeOperation } from '../../openapi/described-operation.js';
import { introduction } from '../../openapi/api-introduction.js';
import type { DescriptionOptions } from '../../openapi/create-openapi.js';
import type { VNode } from '../../html/html.js';
import type { PageRoute } from '../../http/page-route.js';
import { DOCS_PATH, OPENAPI_PATH } from '../../http/representation/description-links.js';
import { createStaticHandler } from '../../http/static-response.js';
import type { Clock } from '../../model/clock.js';
import { Layout } from '../layout/layout.js';
import type { Site } from '../layout/layout.js';
import { renderPage } from '../layout/page-address.js';
import { OperationSection } from './operation-section.js';
import { createReferenceTables } from './reference-sections.js';
import { ReferenceTable, TextWithCode } from './reference-table.js';

/** The tables by which requests are parsed, and the configuration. */
interface DocsDependencies {
  readonly site: Site;
  readonly description: DescriptionOptions;
  /** Scheme, authority and path. A free port is known only when the page is rendered. */
  readonly getOrigin: () => string;
  readonly clock: Clock;
}

/** For people (operation 4.2, decisions 2.42). Rendered at the first request, once for each configuration. */
export function createDocsRoute(dependencies: DocsDependencies): PageRoute {
  const { site, clock } = dependencies;
  const handle = createStaticHandler(
    () => ({
      path: DOCS_PATH,
      contentType: 'text/html; charset=utf-8',
      text: renderPage(<DocsPage {...dependencies} />, site.publicPath),
      isPage: true,
      headers: { 'X-Robots-Tag': 'noindex' },
    }),
    clock,
  );
  return { pattern: new RegExp(`^${DOCS_PATH}$`), route: DOCS_PATH, handle };
}

function DocsPage({ site, description, getOrigin, clock }: DocsDependencies): VNode {
  const origin = getOrigin();
  const operations = description.servedResources.map(describeOperation);
  const tables = createReferenceTables(operations, description);
  return (
    <Layout site={site} title="API – Rollcall" section={DOCS_PATH} now={clock.now()}>
      <article class="reference">
        <h1>Interfaces for programs</h1>
        <p>{introduction.opening}</p>
        <ol>
          {introduction.rules.map((rule) => (
            <li>{rule}</li>
          ))}
        </ol>
        {introduction.reading.map((paragraph) => (
          <p>
            <TextWithCode text={paragraph} />
          </p>
        ))}
        <p>
          For programs, in OpenAPI, with the responses of the examples, the envelopes and the bodies of errors:{' '}
          <a href={description.publicUrl + OPENAPI_PATH}>{OPENAPI_PATH}</a>
        </p>
        <nav aria-labelledby="contents-title">
          <h2 id="contents-title">Contents</h2>
          <ul>
            {operations.map(({ path, served }) => (
              <li>
                <a href={`#${served.description.operationId}`}>{served.description.summary}</a> <code>{path}</code>
              </li>
            ))}
            {tables.map(({ caption, anchor }) => (
              <li>
                <a href={`#${anchor}table`}>{caption}</a>
              </li>
            ))}
          </ul>
        </nav>
        <h2>Paths</h2>
        {operations.map((operation) => (
          <OperationSection operation={operation} description={description} origin={origin} />
        ))}
        {tables.map((table) => (
          <section id={`${table.anchor}table`}>
            <h2>{table.caption}</h2>
            <ReferenceTable {...table} />
          </section>
        ))}
      </article>
    </Layout>
  );
}
