import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { allEndpoints } from '../src/all-endpoints.ts'
import { metricDefinitions } from '../src/analytics/metric-definitions.ts'
import { compareDocuments } from '../src/compare.ts'
import { apiChangelog } from './api-changelog.ts'
import { metricsPage } from './metrics-page.ts'
import { buildOpenApi, routesTable } from './openapi.ts'

/** Writes the golden files: `npm run openapi`. */
const docs = fileURLToPath(new URL('../../../docs/', import.meta.url))
const document = buildOpenApi(allEndpoints, { serverUrl: 'http://127.0.0.1:3000' })
const text = `${JSON.stringify(document, null, 2)}\n`
const releasedFile = `${docs}openapi-released.json`
writeFileSync(`${docs}openapi.json`, text)
// The next documents are compared with the document of the release.
if (process.argv.includes('--release')) writeFileSync(releasedFile, text)
const released = JSON.parse(readFileSync(releasedFile, 'utf8')) as Record<string, unknown>
writeFileSync(`${docs}api-changelog.md`, apiChangelog(compareDocuments(released, JSON.parse(text) as typeof released)))
writeFileSync(`${docs}routes.md`, routesTable(allEndpoints))
writeFileSync(`${docs}metrics.md`, metricsPage(metricDefinitions))
console.log(`${allEndpoints.length} operations written to docs/openapi.json and docs/routes.md; docs/metrics.md`)
