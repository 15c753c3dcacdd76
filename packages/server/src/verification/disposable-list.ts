/** This ES module makes the CommonJS package loadable late: in a chunk of its own, the package would lose its named exports. */
export { disposableEmailBlocklistSet } from 'disposable-email-domains-js'
