import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { allEndpoints } from '../src/all-endpoints.ts'
import { metricDefinitions } from '../src/analytics/metric-definitions.ts'
import { metricsPage } from './metrics-page.ts'
import { buildOpenApi, routesTable } from './openapi.ts'

/** Writes the golden files: `npm run openapi`. */
const docs = fileURLToPath(new URL('../../../docs/', import.meta.url))
const document = buildOpenApi(allEndpoints, { serverUrl: 'http://127.0.0.1:3000' })
writeFileSync(`${docs}openapi.json`, `${JSON.stringify(document, null, 2)}\n`)
writeFileSync(`${docs}routes.md`, routesTable(allEndpoints))
writeFileSync(`${docs}metrics.md`, metricsPage(metricDefinitions))
console.log(`${allEndpoints.length} operations written to docs/openapi.json and docs/routes.md; docs/metrics.md`)
