/** An item of a feed of the Gazette. */
export interface GazetteItem {
  /** Its guid is the `tag` URI of this number, in both feeds. */
  readonly number: string;
  readonly title: string;
  /** ISO 8601 in UTC. */
  readonly published: string;
  /** ISO 8601 in UTC, if the item was changed after its publication. */
  readonly updated?: string;
  /** Path on the site of the Gazette. */
  readonly path: string;
  /** Plain text, or HTML if it begins with a tag. */
  readonly summary?: string;
  /** HTML that is well-formed XML. */
  readonly content?: string;
}

/** The item that both feeds have. */
const exploited: GazetteItem = {
  number: 'GA-2026-18',
  title: 'Saffron Relay mail gateways: attackers exploit GA-2026-16',
  published: '2026-09-21T14:40:00+00:00',
  path: '/advisories/2026/ga-2026-18',
  summary: 'Attackers exploit the weakness of advisory GA-2026-16. Install version 5.4.1, then search the logs.',
  content:
    '<p>Several teams have reported mail gateways on which attackers created an account named <code>relay-svc</code>.</p>' +
    '<ol><li>Install version 5.4.1.</li><li>Search the logs for <code>POST /setup/first-run</code>.</li>' +
    '<li>Report findings to <a href="mailto:advisories@gazette.example.org">advisories@gazette.example.org</a>.</li></ol>',
};

/** The advisories, newest first. */
export const gazetteAdvisories: readonly GazetteItem[] = [
  {
    number: 'GA-2026-19',
    title: 'Kiteline mesh routers: default password after a reset',
    published: '2026-09-25T09:15:00+00:00',
    path: '/advisories/2026/ga-2026-19',
    // HTML with several blocks, each of which is a line of the summary.
    summary:
      '<p>A reset restores the default password of the <b>remote administration</b>.</p>' +
      '<ul><li>Affected: firmware 7.0 to 7.1.4</li><li>Fixed: firmware 7.2</li></ul>' +
      '<p>Until then, switch the remote administration off.</p>',
  },
  exploited,
  {
    number: 'GA-2026-17',
    title: 'Papyrus & Sons printers: <script> in the names of print jobs',
    published: '2026-09-08T07:30:00+00:00',
    path: '/advisories/2026/ga-2026-17',
    summary: 'The status page runs scripts in the names of print jobs. Versions before 3.9 are affected.',
    content: affected('Papyrus &amp; Sons', 'printers before version 3.9', 'Install version 3.9.'),
  },
  {
    number: 'GA-2026-16',
    title: 'Saffron Relay mail gateways: set-up page without authentication',
    published: '2026-08-27T11:00:00+00:00',
    path: '/advisories/2026/ga-2026-16',
    summary: 'The set-up page stays reachable after the installation, and creates accounts.',
    content: affected('Saffron Relay', 'mail gateways before version 5.4.1', 'Install version 5.4.1.'),
  },
  {
    number: 'GA-2026-15',
    title: 'Hoshikuzu Denki (星屑電機) controllers: unsigned updates',
    published: '2026-08-03T06:05:00+00:00',
    path: '/advisories/2026/ga-2026-15',
    summary: 'Controllers install updates without checking a signature.',
    content: affected('Hoshikuzu Denki', 'all controllers of the series H', 'Allow updates from one host only.'),
  },
  {
    number: 'GA-2026-14',
    title: 'Cobalt Fern hypervisors: memory of other guests readable',
    published: '2026-07-16T13:20:00+00:00',
    path: '/advisories/2026/ga-2026-14',
    content: affected('Cobalt Fern', 'hypervisors 11 and 12', 'Install the update of July, and restart all guests.'),
  },
  {
    number: 'GA-2026-12',
    title: 'Çınar Yazılım hospital records: search returns records of other wards',
    published: '2026-06-19T08:45:00+00:00',
    path: '/advisories/2026/ga-2026-12',
    summary: 'A search with a quotation mark returns the records of all wards.',
    content: affected('Çınar Yazılım', 'hospital records before version 2026.2', 'Install version 2026.2.'),
  },
  {
    number: 'GA-2026-10',
    title: 'Brújula Sistemas ship navigation: positions accepted from any sender',
    published: '2026-05-22T10:10:00+00:00',
    path: '/advisories/2026/ga-2026-10',
    summary: 'Receivers accept positions from any device in the network of the ship.',
    content: affected('Brújula Sistemas', 'receivers of the series N4', 'Separate the network of the receivers.'),
  },
  {
    number: 'GA-2026-08',
    title: 'Mossgate door locks: all doors open with one card',
    published: '2026-04-14T12:00:00+00:00',
    path: '/advisories/2026/ga-2026-08',
    summary: 'Cards of the first series have the same key.',
    content: affected('Mossgate', 'locks delivered before 2025', 'Order new cards from the vendor.'),
  },
  {
    number: 'GA-2026-06',
    title: 'Nimbus Llama backup software: backups readable by every user',
    published: '2026-03-11T07:55:00+00:00',
    path: '/advisories/2026/ga-2026-06',
    summary: 'The folder of the backups has permissions for every user of the host.',
    content: affected('Nimbus Llama', 'versions 8.0 to 8.3', 'Correct the permissions, then install version 8.4.'),
  },
  {
    number: 'GA-2026-03',
    title: 'Żuraw Automatyka cranes: remote control without encryption',
    published: '2026-02-10T09:00:00+00:00',
    path: '/advisories/2026/ga-2026-03',
    summary: 'The remote control sends its commands in plain text.',
  },
  {
    number: 'GA-2026-01',
    title: 'Quillbyte document servers: path traversal in the preview',
    published: '2026-01-13T08:00:00+00:00',
    path: '/advisories/2026/ga-2026-01',
    summary: 'The preview of documents reads files outside of its folder.',
    content: affected('Quillbyte', 'document servers before version 4.7', 'Install version 4.7.'),
  },
];

/** The bulletins, last changed first. */
export const gazetteBulletins: readonly GazetteItem[] = [
  {
    number: 'GB-2026-09',
    title: 'Situation in September: mail gateways and mesh routers',
    published: '2026-09-24T15:00:00+00:00',
    updated: '2026-09-28T06:30:00+00:00',
    path: '/bulletins/2026/september',
    summary: 'Two advisories need attention at once: GA-2026-18 and GA-2026-19.',
    content:
      '<p>The teams of the Gazette counted 41 incidents, twice as many as in August.</p>' +
      '<table><tr><th>Cause</th><th>Incidents</th></tr><tr><td>Mail gateways</td><td>23</td></tr>' +
      '<tr><td>Mesh routers</td><td>11</td></tr><tr><td>Other</td><td>7</td></tr></table>',
  },
  exploited,
  {
    number: 'GB-2026-08',
    title: 'Situation in August: late reports',
    published: '2026-08-31T15:00:00+00:00',
    path: '/bulletins/2026/august',
    summary: 'Twenty incidents, the lowest number of the year.',
    content: '<p>Most incidents were <em>reported late</em>, because the first contact was on holiday.</p>',
  },
  {
    number: 'GB-2026-07',
    title: 'Situation in July: advance-fee mail in the name of port authorities',
    published: '2026-07-31T15:00:00+00:00',
    path: '/bulletins/2026/july',
    summary:
      '<p>Mail in the name of port authorities asks carriers for a fee.</p><p>No port authority sends such mail.</p>',
    content:
      '<p>The <a href="/bulletins/2026/july/samples">samples</a> show the sender and the subject of this mail.</p>',
  },
  {
    number: 'GB-2026-06',
    title: 'Exercise “Low Tide”: results',
    published: '2026-06-30T12:00:00+00:00',
    updated: '2026-07-02T09:45:00+00:00',
    path: '/bulletins/2026/low-tide',
    summary: 'Nineteen teams took part. Five of them had no telephone number for the night.',
    content: '<p>The next exercise is in March 2027. <a href="/exercises">Registration</a> begins in December.</p>',
  },
  {
    number: 'GB-2026-05',
    title: 'Situation in May: a certificate expires, and a railway stops',
    published: '2026-05-29T15:00:00+00:00',
    path: '/bulletins/2026/may',
    content:
      '<p>A certificate of the signalling expired on a Sunday. The operator had no list of its certificates.</p>',
  },
  {
    number: 'GB-2026-03',
    title: 'Situation in March: keys that expire',
    published: '2026-03-31T15:00:00+00:00',
    path: '/bulletins/2026/march',
    summary: 'One key in six that teams publish has expired.',
    content: '<p>Check the key of your team, and publish the new one <strong>before</strong> the old one expires.</p>',
  },
  {
    number: 'GB-2026-01',
    title: 'The bulletin begins: what it contains, and when it appears',
    published: '2026-01-30T15:00:00+00:00',
    path: '/bulletins/2026/january',
    summary: 'The bulletin describes the situation once a month.',
    content: '<p>Each bulletin has the number of incidents and their causes. Send questions to the Gazette.</p>',
  },
];

function affected(vendor: string, products: string, advice: string): string {
  return `<p>Affected: ${products} by ${vendor}.</p><h2>What to do</h2><p>${advice}</p>`;
}
