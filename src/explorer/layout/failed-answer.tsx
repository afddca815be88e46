import type { PageAnswer } from '../answer/answer-query.js';
import { readSourceFacts, summarizeSources } from '../answer/source-facts.js';
import type { VNode } from '../../html/html.js';
import { summarizeInWords } from './source-report.js';
import type { RecordNoun } from './source-report.js';

/** The rules on incomplete answers forbid a list (decisions 6.5 to 6.7). It never looks like a search without hits. */
export function FailedAnswer({ outcome, noun }: { readonly outcome: PageAnswer; readonly noun: RecordNoun }): VNode {
  const [title, text] = describeSilence(outcome, noun);
  return (
    <section class="no-list failure">
      <h2 id="results-title">{title}</h2>
      <p>{text}</p>
      <p>Search again in a minute, or ask these repositories themselves.</p>
    </section>
  );
}

function describeSilence({ answer, result }: PageAnswer, noun: RecordNoun): readonly [title: string, text: string] {
  const cause = summarizeInWords(summarizeSources(readSourceFacts(answer)));
  const noProof = `This is no proof that there is no such ${noun}.`;
  if ('problem' in result && result.problem.kind === 'not-held')
    return [
      'Not every repository can answer without receiving the question',
      'The request asked that nothing of it leaves this gateway (Prefer: private).',
    ];
  if (answer?.list === undefined)
    return [
      `No answer: ${cause === '' ? 'no repository could be asked' : cause}`,
      `Nothing is known of what was searched. ${noProof}`,
    ];
  if (answer.list.total === 0) return [`${noun === 'team' ? 'Nobody' : 'Nothing'} found, but ${cause}`, noProof];
  return [
    `No complete answer: ${cause}`,
    'There is an incomplete answer, but the request asked for none (Prefer: handling=strict).',
  ];
}
