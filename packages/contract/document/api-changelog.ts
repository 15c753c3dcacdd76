import type { Change } from '../src/compare.ts'

/** docs/api-changelog.md: what the next release adds to the document of the last one. */
export function apiChangelog(changes: readonly Change[]): string {
  const additions = changes.filter(({ kind }) => kind === 'addition')
  const rows = additions.map(({ where, what }) => `| \`${where}\` | ${what} |`)
  return `# What the API has gained since the last release

Written by \`npm run openapi\`, which compares the document with that of the last release (\`docs/openapi-released.json\`).
v2 only grows: a change that a client could trip over fails the tests. A release begins this page anew by
\`npm run openapi -- --release\`.

${rows.length === 0 ? 'Nothing.' : ['| where | what |', '|---|---|', ...rows].join('\n')}
`
}
