import { endpoints as byKey } from '@overture/contract/all-endpoints.ts'
import type { Endpoint } from '@overture/contract/endpoint.ts'
import { Models } from '@overture/contract/document/schemas.ts'
import { header } from './types-text.ts'

const componentPrefix = '#/components/schemas/'

/** A test, checked by tsc, that every body and answer of the client has the type of the contract's schema. */
export function typeTestText(endpoints: readonly Endpoint[]): string {
  const keys = new Map(Object.entries(byKey).map(([key, endpoint]) => [endpoint.operationId, key]))
  const lines = endpoints.flatMap((endpoint) => writeLines(endpoint, keys.get(endpoint.operationId) ?? ''))
  return [
    header(),
    `import { expectTypeOf, test } from 'vitest'\n`,
    `import type { z } from 'zod'\n`,
    `import type { dryRuns, endpoints } from '@overture/contract/all-endpoints.ts'\n`,
    `import type * as sdk from './types.ts'\n\n`,
    `type Contract = typeof endpoints\n`,
    `type ContractBody<Key extends keyof Contract> = Exclude<z.input<NonNullable<Contract[Key]['body']>>, undefined>\n`,
    `type ContractOutput<Key extends keyof Contract> = z.output<Contract[Key]['output']>\n`,
    `type ContractDryRun<Key extends keyof typeof dryRuns> = z.output<(typeof dryRuns)[Key]['output']>\n\n`,
    `test('bodies and responses match the contract', () => {\n`,
    lines.join(''),
    '})\n',
  ].join('')
}

function writeLines(endpoint: Endpoint, key: string): string[] {
  const lines: string[] = []
  if (endpoint.body !== undefined) {
    const model = `sdk.${modelName(endpoint.body, 'input')}`
    const body = `ContractBody<'${key}'>`
    // The contract accepts any value for items that are checked one by one. Another test checks the type of the items.
    const [ours, theirs] =
      endpoint.itemsField === undefined
        ? [model, body]
        : [model, body].map((one) => `Omit<${one}, '${endpoint.itemsField}'>`)
    lines.push(`  expectTypeOf<${ours}>().toEqualTypeOf<${theirs}>()\n`)
  }
  if (endpoint.outputType === undefined)
    lines.push(
      `  expectTypeOf<sdk.${modelName(endpoint.output, 'output')}>().toEqualTypeOf<ContractOutput<'${key}'>>()\n`,
    )
  if (endpoint.dryRun !== undefined)
    lines.push(
      `  expectTypeOf<sdk.${modelName(endpoint.dryRun.output, 'output')}>().toEqualTypeOf<ContractDryRun<'${key}'>>()\n`,
    )
  return lines
}

function modelName(schema: Endpoint['output'], io: 'input' | 'output'): string {
  return String(new Models().reference(schema, io)['$ref']).slice(componentPrefix.length)
}
