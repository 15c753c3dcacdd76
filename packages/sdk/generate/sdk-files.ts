import { buildOpenApi } from '@overture/contract/document/openapi.ts'
import type { Json } from '@overture/contract/document/schemas.ts'
import type { Endpoint } from '@overture/contract/endpoint.ts'
import { resourcesText } from './resources-text.ts'
import { typeTestText } from './type-test-text.ts'
import { typesText } from './types-text.ts'

/** The generated files of the client, by name. */
export function sdkFiles(endpoints: readonly Endpoint[]): Record<string, string> {
  const { components } = buildOpenApi(endpoints, { serverUrl: '' })
  const models = (components as { schemas: Record<string, Json> }).schemas
  return {
    'types.ts': typesText(models),
    'resources.ts': resourcesText(endpoints),
    'models.test.ts': typeTestText(endpoints),
  }
}
