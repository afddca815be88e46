import type { RequestLogFields } from '../../http/log/access-log.js';
import type { PageRequest } from '../../http/page-route.js';
import type { OutgoingResponse } from '../../http/representation/outgoing-response.js';
import { encodeComponent } from '../answer/page-parameters.js';
import { createAnswerResponse } from '../answer/page-response.js';
import type { VNode } from '../../html/html.js';
import { Layout } from '../layout/layout.js';
import type { Site } from '../layout/layout.js';
import { useAddress } from '../layout/page-address.js';
import { FormatLinks, PageActions } from '../layout/page-actions.js';
import { ComparisonTable } from './comparison-table.js';
import { KeySection } from './key-section.js';
import { MissingTeam, describeMissingTeam } from './missing-team.js';
import { ContactBox } from './contact-box.js';
import { LinkedPairs } from './link-evidence.js';
import { Searched } from './stating-repositories.js';
import { Origin, Scope, TeamNames } from './record-head.js';
import { nameOf, teamPath } from './team-facts.js';
import { buildTeamModel, isIncompleteView } from './team-model.js';
import type { TeamModel, TeamModelDependencies, TeamView } from './team-model.js';

interface TeamDependencies extends TeamModelDependencies {
  readonly site: Site;
}

/** `/teams/<id>` (operation 4.2). */
export async function handleTeam(
  dependencies: TeamDependencies,
  request: PageRequest,
  logFields: RequestLogFields,
): Promise<OutgoingResponse> {
  const model = await buildTeamModel(dependencies, request, logFields);
  const document = <TeamPage {...dependencies} model={model} now={dependencies.team.options.clock.now()} />;
  const isPartial = model.view !== undefined && isIncompleteView(model.view);
  return createAnswerResponse(dependencies.site, model.outcome, document, isPartial);
}

interface TeamPageProps extends TeamDependencies {
  readonly model: TeamModel;
  readonly now: number;
}

function TeamPage(props: TeamPageProps): VNode {
  const { site, model, now } = props;
  const { outcome, view, id } = model;
  const name = view === undefined ? describeMissingTeam(outcome)[0] : nameOf(view.records[0].facts);
  return (
    <Layout
      site={site}
      title={`${name} – Rollcall`}
      section={undefined}
      outcome={outcome}
      {...(view && { facts: view.facts })}
      now={now}
    >
      {view === undefined ? <MissingTeam id={id} outcome={outcome} /> : <TeamArticle {...props} view={view} />}
    </Layout>
  );
}

function TeamArticle({ team, dataTeam, now, view }: TeamPageProps & { readonly view: TeamView }): VNode {
  const address = useAddress();
  const { records } = view;
  const [{ facts, hasData }] = records;
  const path = recordPath(team, facts.id);
  return (
    <article class="team-page">
      <header>
        <TeamNames facts={facts} showHeading={(name) => <h1>{name}</h1>} />
        <Scope {...facts} />
        <p class="origin">
          <Origin facts={facts} now={now} />
          {records.length > 1 && `· beside ${records.length - 1} of other repositories, probably of the same team`}
        </p>
      </header>
      <Searched.Provider value={view.facts}>
        <ContactBox view={view} now={now} />
        <KeySection
          records={records}
          now={now}
          findAddress={({ facts: { id } }, extension) =>
            address(recordPath(dataTeam, id) + extension, [['scope', 'pgp']])
          }
        />
      </Searched.Provider>
      <section class="panel same" aria-labelledby="same-title">
        <h2 id="same-title">What the repositories state</h2>
        <ComparisonTable
          records={records}
          findAddress={(record) => address(`${recordPath(team, record.facts.id)}.json`)}
        />
        <LinkedPairs {...view} />
      </section>
      <PageActions
        subject="team"
        link={team.options.publicUrl + teamPath(facts.id)}
        files={<FormatLinks resource={team} path={path} areNamed />}
      >
        <p>
          Directory interface: <FormatLinks resource={team} path={path} />
        </p>
        {hasData && (
          <p>
            Data interface: <FormatLinks resource={dataTeam} path={recordPath(dataTeam, facts.id)} />
          </p>
        )}
      </PageActions>
    </article>
  );
}

function recordPath({ basePath, options }: TeamDependencies['team'], id: string): string {
  return `${basePath}/${options.rules.vocabulary.resource.path}/${encodeComponent(id)}`;
}
