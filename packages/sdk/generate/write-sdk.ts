import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { allEndpoints } from '@overture/contract/all-endpoints.ts'
import { sdkFiles } from './sdk-files.ts'

/** Writes the parts of the client that are derived from the contract, as part of `npm run openapi`. */
const folder = fileURLToPath(new URL('../src/generated/', import.meta.url))
for (const [name, text] of Object.entries(sdkFiles(allEndpoints))) writeFileSync(`${folder}${name}`, text)
console.log(`${allEndpoints.length} methods written to packages/sdk/src/generated`)
