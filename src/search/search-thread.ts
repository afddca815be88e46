import { searchRecords } from './ranking/search-records.js';
import type { SearchResult, SearchTask } from './ranking/search-records.js';

export default function search(task: SearchTask): SearchResult {
  return searchRecords(task);
}
