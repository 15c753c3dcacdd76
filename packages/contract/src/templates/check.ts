import { z } from 'zod'
import { id, namedObject, subject } from '../common.ts'
import { endpoint } from '../endpoint.ts'

const field = z.enum(['subject', 'body'])

/**
 * Properties that make mail look like advertising, or a text hard to answer; names that no lead has; and tags in the spelling of other
 * products. A hint blocks nothing.
 */
export const hintCodes = [
  'spam_word',
  'length',
  'links',
  'short_link',
  'capitals',
  'no_variable',
  'long_subject',
  'false_re',
  'unknown_variable',
  'other_spelling',
] as const

export const textHint = namedObject('TextHint', {
  code: z.enum(hintCodes),
  severity: z.enum(['info', 'warning']),
  field,
  message: z.string(),
  at: z
    .array(z.number().int())
    .length(2)
    .nullable()
    .meta({ description: 'From and to, in UTF-16 units of the field; null where it is about all of it.' }),
  replacement: z
    .string()
    .nullable()
    .meta({ description: 'The text that is proposed for this place, if there is one.' }),
})
export type TextHint = z.infer<typeof textHint>

export const checkTextsInput = namedObject('CheckTextsInput', {
  subject: subject.default(''),
  body: z.string().max(20_000).default(''),
  campaignId: id.optional(),
  stepId: id.optional(),
  leadIds: z.array(id).max(5).optional(),
})
export type CheckTextsInput = z.output<typeof checkTextsInput>

export const checkTextsOutput = namedObject('CheckedTexts', {
  issues: z.array(
    namedObject('TextIssue', {
      field,
      line: z.number().int(),
      column: z.number().int(),
      message: z.string(),
    }),
  ),
  hints: z.array(textHint),
  variables: z.array(
    namedObject('TextVariable', {
      name: z.string(),
      missing: z
        .number()
        .int()
        .meta({ description: 'Leads that could not get the message because they have no such value.' }),
      of: z.number().int().meta({ description: 'The active leads of the campaign.' }),
    }),
  ),
  previews: z.array(
    namedObject('TextPreview', {
      leadId: z.string(),
      subject: z.string().nullable(),
      text: z.string().nullable(),
      html: z.string().nullable(),
      missing: z.array(z.string()),
      problem: z
        .string()
        .nullable()
        .meta({ description: 'Why nothing could be sent to this lead, where it could not.' }),
    }),
  ),
})
export type CheckTextsOutput = z.infer<typeof checkTextsOutput>

export const textCheckEndpoints = {
  checkTexts: endpoint({
    operationId: 'checkTexts',
    call: 'templates.check',
    method: 'POST',
    path: '/v2/templates/check',
    environment: 'both',
    scope: 'write',
    tag: 'Templates',
    summary: 'Check a text',
    description:
      'Stores nothing. `issues` are problems that an update would reject. `hints` block nothing. With a campaign, ' +
      '`variables` contains how many of its leads have no value, and `previews` contains exactly what would be sent to ' +
      'the given leads.',
    body: checkTextsInput,
    success: [200],
    output: checkTextsOutput,
    errors: ['NOT_FOUND'],
    examples: {
      body: { subject: 'A question, {{ firstName }}', body: 'Hello {{ firstName }}' },
      output: {
        issues: [],
        hints: [],
        variables: [{ name: 'firstName', missing: 2, of: 120 }],
        previews: [],
      },
    },
  }),
}
