/** undici's own agent, without its `fetch`, WebSockets and caches: these are most of the library, and stay in memory with it. */
declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici';
}
