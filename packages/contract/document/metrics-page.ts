import type { MetricDefinition } from '../src/analytics/analytics.ts'

/** docs/metrics.md: the text of `GET /v2/analytics/definitions` as a page. */
export function metricsPage(definitions: readonly MetricDefinition[]): string {
  const counts = definitions.filter(({ kind }) => kind === 'count')
  const rates = definitions.filter(({ kind }) => kind === 'rate')
  return `# What the numbers mean

Stats, analytics and summary use these names, and every number is a count of events of the log. The same text as data:
\`GET /v2/analytics/definitions\`. Written by \`npm run openapi\`.

## Counts

| name | what it counts | made of | leaves out |
|---|---|---|---|
${counts.map((one) => row(one.name, one.definition, one.numerator, one.excludes.join(', '))).join('\n')}

## Rates

| name | numerator | denominator | leaves out |
|---|---|---|---|
${rates.map((one) => row(one.name, one.numerator, one.denominator ?? '', one.excludes.join(', '))).join('\n')}

A rate is a share between 0 and 1, and 0 where the denominator is 0.
`
}

function row(name: string, ...cells: string[]): string {
  return `| \`${name}\` | ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}
