import type { RequestLogFields } from '../../http/log/access-log.js';
import type { PageRequest } from '../../http/page-route.js';
import type { OutgoingResponse } from '../../http/representation/outgoing-response.js';
import { encodeComponent } from '../answer/page-parameters.js';
import { createAnswerResponse } from '../answer/page-response.js';
import { readSourceFacts, summarizeSources } from '../answer/source-facts.js';
import type { VNode } from '../../html/html.js';
import { AnswerNotice } from '../layout/answer-notice.js';
import { Layout } from '../layout/layout.js';
import type { Site } from '../layout/layout.js';
import { useAddress } from '../layout/page-address.js';
import { FormatLinks } from '../layout/program-access.js';
import { SourceText } from '../../html/source-text.js';
import { ComparisonTable } from './comparison-table.js';
import { KeySection } from './key-section.js';
import { MissingTeam, describeMissingTeam } from './missing-team.js';
import { ReachBox } from './reach-box.js';
import { LinkedPairs, UnsearchedSources } from './same-team.js';
import { countryName, nameOf } from './team-facts.js';
import { listTeamKeys } from '../../source/keys/team-keys.js';
import { buildTeamModel } from './team-model.js';
import type { TeamModel, TeamModelDependencies, TeamRecord, TeamView } from './team-model.js';

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
  const { view } = model;
  const isPartial =
    view !== undefined &&
    (view.records.some(({ keyState }) => keyState === 'missing') ||
      isIncomplete(view) ||
      view.national?.isComplete === false);
  return createAnswerResponse(dependencies.site, model.outcome, document, isPartial);
}

function isIncomplete({ facts }: TeamView): boolean {
  const { missing, stale } = summarizeSources(facts);
  return missing.length + stale.length > 0;
}

interface TeamPageProps extends TeamDependencies {
  readonly model: TeamModel;
  readonly now: number;
}

function TeamPage(props: TeamPageProps): VNode {
  const { site, model, now } = props;
  const { outcome, view, id } = model;
  const facts = view?.facts ?? readSourceFacts(outcome.answer);
  const name = view === undefined ? describeMissingTeam(outcome).title : nameOf(view.records[0].facts);
  return (
    <Layout
      site={site}
      title={`${name} – Rollcall`}
      section={undefined}
      notice={<AnswerNotice outcome={outcome} facts={facts} noun="teams" now={now} />}
      facts={facts}
      now={now}
    >
      {view === undefined ? <MissingTeam id={id} outcome={outcome} /> : <TeamArticle {...props} view={view} />}
    </Layout>
  );
}

function TeamArticle({ team, dataTeam, now, view }: TeamPageProps & { readonly view: TeamView }): VNode {
  const address = useAddress();
  const [own] = view.records;
  const names = view.records.map(({ facts }) => facts.sourceName);
  const keys = listTeamKeys(view.records.map((record) => record.keys));
  return (
    <article class="team-page">
      <TeamHead record={own} count={names.length} />
      <ReachBox view={view} keys={keys} names={names} now={now} />
      <KeySection
        view={view}
        keys={keys}
        names={names}
        now={now}
        findAddress={({ facts }, extension) => address(recordPath(dataTeam, facts.id) + extension, [['scope', 'pgp']])}
      />
      <section class="panel same" aria-labelledby="same-title">
        <h2 id="same-title">What the repositories state</h2>
        <UnsearchedSources view={view} />
        <ComparisonTable
          records={view.records}
          findAddress={({ facts }) => address(`${recordPath(team, facts.id)}.json`)}
        />
        <LinkedPairs view={view} />
      </section>
      <section class="panel downloads" aria-labelledby="downloads-title">
        <h2 id="downloads-title">The record as data</h2>
        <p>
          Directory interface: <FormatLinks resource={team} path={recordPath(team, own.facts.id)} />
        </p>
        {own.hasData && (
          <p>
            Data interface: <FormatLinks resource={dataTeam} path={recordPath(dataTeam, own.facts.id)} />
          </p>
        )}
      </section>
    </article>
  );
}

/** In UTF-16 units. The table has more of a longer one. */
const MAX_NAME_LENGTH = 200;

function TeamHead({ record: { facts }, count }: { readonly record: TeamRecord; readonly count: number }): VNode {
  const { shortName, officialName, countries, sourceName, modified } = facts;
  return (
    <header>
      <h1>
        <SourceText text={nameOf(facts)} max={MAX_NAME_LENGTH} whole="#same-title" />
      </h1>
      {shortName !== '' && officialName !== '' && officialName !== shortName && (
        <p class="official">
          <SourceText text={officialName} max={MAX_NAME_LENGTH} whole="#same-title" />
        </p>
      )}
      <p class="kind">
        <SourceText text={countries.map(countryName).join(', ') || 'no country stated'} />
        {facts.constituency !== '' && (
          <>
            {' · '}
            <SourceText text={facts.constituency} />
          </>
        )}
      </p>
      <p class="origin">
        <SourceText text={sourceName} />,{' '}
        <SourceText text={modified === '' ? 'undated record' : `record of ${modified}`} />
        {count > 1 &&
          `, beside ${count - 1} record${count > 2 ? 's' : ''} of other repositories, probably of the same team`}
        .
      </p>
    </header>
  );
}

function recordPath({ basePath, options }: TeamDependencies['team'], id: string): string {
  return `${basePath}/${options.rules.vocabulary.resource.path}/${encodeComponent(id)}`;
}
