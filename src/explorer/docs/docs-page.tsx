import { describeOperation } from '../../openapi/described-operation.js';
import type { DescribedOperation } from '../../openapi/described-operation.js';
import { listErrors } from '../../openapi/describe-responses.js';
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
import { TextWithCode } from './text-with-code.js';
import { PropertySections } from './property-sections.js';
import { SharedSections, formatErrorAnchor, sharedContents } from './sections-of-all-operations.js';

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
          For programs, in OpenAPI: <a href={description.publicUrl + OPENAPI_PATH}>{OPENAPI_PATH}</a>
        </p>
        <Contents operations={operations} />
        <section id="paths" aria-labelledby="paths-title">
          <h2 id="paths-title">Paths</h2>
          {operations.map((operation) => (
            <OperationSection operation={operation} origin={origin} statuses={listStatuses(operation, description)} />
          ))}
        </section>
        <PropertySections operations={operations} />
        <SharedSections description={description} />
      </article>
    </Layout>
  );
}

function listStatuses(
  operation: DescribedOperation,
  description: DescriptionOptions,
): readonly { status: number; anchor: string }[] {
  return [...listErrors(operation, description)].map(([status, [kind]]) => ({
    status,
    anchor: kind === undefined ? '' : formatErrorAnchor(kind),
  }));
}

function Contents({ operations }: { readonly operations: readonly DescribedOperation[] }): VNode {
  return (
    <nav aria-labelledby="contents-title">
      <h2 id="contents-title">Contents</h2>
      <ul>
        <li>
          <a href="#paths">Paths</a>
          <ul>
            {operations.map(({ path, served: { description } }) => (
              <li>
                <a href={`#${description.operationId}`}>{description.summary}</a> <code>{path}</code>
              </li>
            ))}
          </ul>
        </li>
        {sharedContents.map(([anchor, title]) => (
          <li>
            <a href={`#${anchor}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
