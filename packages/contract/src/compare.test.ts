import { describe, expect, test } from 'vitest'
import { allEndpoints } from './all-endpoints.ts'
import { buildOpenApi } from '../document/openapi.ts'
import { compareDocuments } from './compare.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- documents are planted with whatever a release may hold
type Document = any
const document: Document = JSON.parse(
  JSON.stringify(buildOpenApi(allEndpoints, { serverUrl: 'http://127.0.0.1:3000' })),
)
const models = (one: Document) => one.components.schemas
const campaigns = (one: Document) => one.paths['/v2/campaigns']

function kindsAfter(plant: (after: Document) => void): string[] {
  const after = structuredClone(document)
  plant(after)
  return [...new Set(compareDocuments(document, after).map(({ kind }) => kind))]
}

test('a document is compared to itself without a word', () => expect(compareDocuments(document, document)).toEqual([]))

describe('breaking', () => {
  test.each<[string, (after: Document) => void]>([
    ['an operation that is gone', (after) => delete campaigns(after).get],
    [
      'a path that is another',
      (after) => ((after.paths['/v2/campaign'] = campaigns(after)), delete after.paths['/v2/campaigns']),
    ],
    ['a method of clients that is renamed', (after) => (campaigns(after).get['x-sdk-method'] = 'campaigns.all')],
    ['an operation that needs more of a key', (after) => (campaigns(after).get['x-required-scope'] = 'write')],
    ['a parameter that is gone', (after) => campaigns(after).get.parameters.pop()],
    ['a parameter that is required', (after) => (campaigns(after).get.parameters[0].required = true)],
    [
      'a new parameter that is required',
      (after) => campaigns(after).get.parameters.push({ name: 'x', in: 'query', required: true }),
    ],
    ['a field of a body that is gone', (after) => delete models(after).CreateCampaignInput.properties.settings],
    ['a field of a body that is required', (after) => models(after).CreateCampaignInput.required.push('steps')],
    [
      'a new field of a body that is required',
      (after) => (
        (models(after).ReplyInput.properties.mood = { type: 'string' }),
        (models(after).ReplyInput.required = ['mood'])
      ),
    ],
    ['a shorter text', (after) => (models(after).CreateCampaignInput.properties.name.maxLength = 100)],
    ['a longer least', (after) => (models(after).CreateCampaignInput.properties.name.minLength = 2)],
    [
      'a bound where none was',
      (after) => (
        (models(after).AddLeadsInput.properties.maxCredits.multipleOf = undefined),
        (models(after).VariantInput.properties.label.pattern = '^[a-z]+$')
      ),
    ],
    ['a value that is no longer taken', (after) => models(after).AddLeadsInput.properties.onDuplicate.enum.pop()],
    ['a default that is another', (after) => (models(after).AddLeadsInput.properties.onDuplicate.default = 'update')],
    ['null that is no longer taken', (after) => (models(after).StepInput.properties.id = { type: 'integer' })],
    ['a field of an answer that is gone', (after) => delete models(after).Campaign.properties.leadCount],
    [
      'a field of an answer that may be missing',
      (after) =>
        (models(after).Campaign.required = models(after).Campaign.required.filter((name: string) => name !== 'name')),
    ],
    [
      'a field of an answer that is of another type',
      (after) => (models(after).Campaign.properties.leadCount = { type: 'string' }),
    ],
    [
      'a field of an answer that may be null',
      (after) => (models(after).Campaign.properties.name = { type: ['string', 'null'] }),
    ],
    [
      'a success that is no longer answered',
      (after) => (
        (campaigns(after).post.responses[200] = campaigns(after).post.responses[201]),
        delete campaigns(after).post.responses[201]
      ),
    ],
    ['a header that is gone', (after) => delete campaigns(after).get.responses[200].headers['X-RateLimit-Limit']],
    ['an event that is no longer sent', (after) => delete after.webhooks['lead.added']],
    ['a field of an event that is gone', (after) => delete models(after).ReplyReceivedData.properties.rule],
  ])('%s', (_name, plant) => expect(kindsAfter(plant)).toContain('breaking'))
})

describe('an addition', () => {
  const text = { type: 'string' }
  test.each<[string, (after: Document) => void]>([
    [
      'a new operation',
      (after) => (after.paths['/v2/things'] = { get: { ...campaigns(after).get, operationId: 'listThings' } }),
    ],
    ['an operation that needs less of a key', (after) => (campaigns(after).post['x-required-scope'] = 'read')],
    [
      'a new parameter',
      (after) => campaigns(after).get.parameters.push({ name: 'x', in: 'query', required: false, schema: text }),
    ],
    [
      'a parameter that is optional',
      (after) => (after.paths['/v2/campaigns/lead-finder/suggest'].get.parameters[0].required = false),
    ],
    ['a new field of a body', (after) => (models(after).CreateCampaignInput.properties.color = text)],
    ['a field of a body that is optional', (after) => (models(after).CreateCampaignInput.required = [])],
    ['a longer text', (after) => (models(after).CreateCampaignInput.properties.name.maxLength = 500)],
    ['a text without bound', (after) => delete models(after).CreateCampaignInput.properties.name.maxLength],
    ['a smaller least', (after) => (models(after).CreateCampaignInput.properties.name.minLength = 0)],
    ['a pattern that is gone', (after) => delete models(after).CreateSuppressionInput.properties.domain.pattern],
    ['a value more that is taken', (after) => models(after).AddLeadsInput.properties.onDuplicate.enum.push('merge')],
    [
      'null that is taken too',
      (after) =>
        (models(after).VariantInput.properties.label = {
          anyOf: [models(after).VariantInput.properties.label, { type: 'null' }],
        }),
    ],
    ['any value where a list was', (after) => delete models(after).AddLeadsInput.properties.onDuplicate.enum],
    [
      'a new field of an answer',
      (after) => ((models(after).Campaign.properties.color = text), models(after).Campaign.required.push('color')),
    ],
    ['a field of an answer that is always there', (after) => models(after).WebhookWithSecret.required.push('secret')],
    ['null that is never answered', (after) => (models(after).Campaign.properties.statusReason = text)],
    ['a value more that may be answered', (after) => models(after).CampaignStatus.enum.push('archived')],
    [
      'a new error',
      (after) => (campaigns(after).get.responses[503] = { $ref: '#/components/responses/ServiceUnavailable' }),
    ],
    ['a new header', (after) => (campaigns(after).get.responses[200].headers['X-New'] = {})],
    ['a new event', (after) => (after.webhooks['lead.woken'] = after.webhooks['lead.added'])],
    [
      'an event more in the list of events',
      (after) => (
        (models(after).LeadWokenEvent = models(after).LeadAddedEvent),
        models(after).Event.oneOf.push({ $ref: '#/components/schemas/LeadWokenEvent' })
      ),
    ],
    ['a deprecation', (after) => (campaigns(after).get.deprecated = true)],
  ])('%s', (_name, plant) => expect(kindsAfter(plant)).not.toContain('breaking'))

  test('a model that is renamed, and is the same', () => {
    const after = JSON.parse(JSON.stringify(document).replaceAll('schemas/Pagination"', 'schemas/PageFacts"'))
    after.components.schemas.PageFacts = after.components.schemas.Pagination
    delete after.components.schemas.Pagination
    expect(compareDocuments(document, after)).toEqual([])
  })
})
