import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { endpoint, type PathParams } from './endpoint.ts'

test('path parameters are typed from the path', () => {
  expectTypeOf<PathParams<'/v2/campaigns'>>().toEqualTypeOf<{}>()
  expectTypeOf<PathParams<'/v2/campaigns/:id/start'>>().toEqualTypeOf<{ id: string }>()
  expectTypeOf<PathParams<'/v2/campaigns/:id/leads/:leadId'>>().toEqualTypeOf<{ id: string; leadId: string }>()
  expectTypeOf<PathParams<string>>().toEqualTypeOf<Record<string, string>>()
})

test('an endpoint keeps its path as a literal', () => {
  const one = endpoint({
    operationId: 'getThing',
    call: 'things.get',
    method: 'GET',
    path: '/v2/things/:id',
    environment: 'both',
    scope: 'read',
    summary: 'Get a thing',
    tag: 'Things',
    success: [200],
    output: z.string(),
  })
  expectTypeOf(one.path).toEqualTypeOf<'/v2/things/:id'>()
})
