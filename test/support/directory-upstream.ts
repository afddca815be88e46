import { pageAnswer, write } from './paging.js';
import type { Manners } from './paging.js';
import type { Answering } from './upstream.js';

const FACTS = { status: 'OK', status_code: 200, version: '1.0' };

/** Answers as a repository of teams with these records and manners, on the directory interface. */
export function directory(records: readonly unknown[], manners: Manners = {}): Answering {
  return (asked, response) => {
    write(response, pageAnswer(manners.records?.(asked) ?? records, asked, manners, FACTS), manners);
  };
}
