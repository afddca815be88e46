import type { AdminRoute } from '../server/admin-route.js';

export const STYLE_PATH = '/assets/admin.css';

/**
 * Colours of text reach a contrast of 4.5 in both schemes (WCAG 2.2, 1.4.3). The style is part of the program, so that
 * the pages need no build.
 */
const STYLE = `
:root {
  color-scheme: light dark;
  --page: #fbfbf9; --panel: #ffffff; --text: #1b2127; --muted: #525c66; --line: #d5dade; --link: #0a5299;
  --failure: #fdebe8; --failure-line: #b3261e; --failure-text: #5f120c;
  --warning: #fff3d4; --warning-line: #8a6100; --warning-text: #4a3500;
  --good: #e9f4ed; --good-line: #22734a; --good-text: #14482d;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14181c; --panel: #1b2026; --text: #e5e9ec; --muted: #a9b4be; --line: #343d46; --link: #86bdff;
    --failure: #3b1714; --failure-line: #ff8b80; --failure-text: #ffdbd7;
    --warning: #362b0d; --warning-line: #e0b64a; --warning-text: #f8e8bd;
    --good: #13291d; --good-line: #62bf8c; --good-text: #cdf0dc;
  }
}
*, *::before, *::after { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 72rem; padding: 0 1rem 3rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', 'DejaVu Sans', sans-serif;
  overflow-wrap: anywhere;
}
a { color: var(--link); }
a:focus-visible, summary:focus-visible, input:focus-visible, button:focus-visible, [tabindex]:focus-visible {
  outline: 3px solid var(--link); outline-offset: 2px;
}
h1 { font-size: 1.5rem; line-height: 1.25; margin: 1.5rem 0 0.75rem; }
h2 { font-size: 1.125rem; line-height: 1.35; margin: 2rem 0 0.5rem; }
h3 { font-size: 1rem; margin: 1rem 0 0.25rem; }
p, ul, dl { margin: 0.5rem 0; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 0.5rem; padding: 0.25rem 0.5rem; background: var(--panel); }
header { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; padding: 0.75rem 0; border-bottom: 1px solid var(--line); }
header p { margin: 0; font-weight: 650; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin: 0; padding: 0; list-style: none; }
nav a[aria-current] { color: inherit; font-weight: 650; text-decoration: none; }
.muted { color: var(--muted); }
.notice { margin: 1rem 0; padding: 0.5rem 0.75rem; border: 1px solid; border-left-width: 0.5rem; }
.notice > :first-child { margin-top: 0; }
.notice > :last-child { margin-bottom: 0; }
.notice h2 { margin: 0 0 0.25rem; }
.failure { background: var(--failure); border-color: var(--failure-line); color: var(--failure-text); }
.warning { background: var(--warning); border-color: var(--warning-line); color: var(--warning-text); }
.good { background: var(--good); border-color: var(--good-line); color: var(--good-text); }
.notice a { color: inherit; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { font-weight: 650; overflow-wrap: normal; }
table.wide-text td, table.wide-text th { min-width: 6rem; }
dl.facts { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: 0.125rem 1rem; }
dl.facts dt { color: var(--muted); }
dl.facts dd { margin: 0; }
details { margin: 0.5rem 0; padding: 0.5rem 0.75rem; border: 1px solid var(--line); background: var(--panel); }
details details { border: 0; padding: 0; }
summary { cursor: pointer; }
code, pre, input[type='text'] { font-family: ui-monospace, 'Cascadia Mono', 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace; }
code, pre { font-size: 0.875rem; }
pre { margin: 0.25rem 0; padding: 0.5rem 0.75rem; border: 1px solid var(--line); background: var(--panel); overflow-x: auto; }
pre.wrapped { white-space: pre-wrap; }
.hidden-character { border: 1px dotted; font-size: 0.75em; }
form { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; }
form .field { flex: 1 1 20rem; }
label { display: block; }
input[type='text'] { width: 100%; padding: 0.375rem 0.5rem; border: 1px solid var(--muted); background: var(--panel); color: var(--text); font-size: 1rem; }
button { padding: 0.375rem 1rem; border: 1px solid var(--link); background: var(--link); color: var(--panel); font: inherit; }
@media (max-width: 30rem) {
  dl.facts { grid-template-columns: 1fr; }
  dl.facts dd { margin-bottom: 0.5rem; }
}
@media print {
  .skip, nav, form { display: none; }
  body { max-width: none; padding: 0; }
  details::details-content { content-visibility: visible; block-size: auto; }
  pre { white-space: pre-wrap; }
}
`;

export const styleRoute: AdminRoute = {
  path: STYLE_PATH,
  get: () => ({ status: 200, headers: { 'Content-Type': 'text/css; charset=utf-8' }, body: STYLE }),
};
