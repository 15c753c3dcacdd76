import { z } from 'zod'
import { checkedLater, email, id, namedObject, timezone } from '../common.ts'

const text = (max: number) => z.string().max(max).nullable().optional()

export const variableNameMax = 64

/** Names that reach the prototype of an object. */
export const prototypeNames: readonly string[] = ['__proto__', 'constructor', 'prototype']

/** Variables that a template reads as `customVariables.x`. */
export const customVariables = z
  .record(
    z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, 'Use letters, digits and _, starting with a letter.'),
    z.union(
      [z.string().max(10_000), z.number(), z.boolean()],
      'Must be a text of at most 10000 characters, a number, or true or false.',
    ),
  )
  .refine((value) => Object.keys(value).length <= 100, 'A lead can have 100 custom variables at most.')

/** GDPR Art. 6(1), in its order. */
export const lawfulBases = [
  'consent',
  'contract',
  'legal_obligation',
  'vital_interests',
  'public_task',
  'legitimate_interests',
] as const
export const lawfulBasis = z.enum(lawfulBases).meta({ id: 'LawfulBasis' })

/** The fields of a lead that a caller may set. Source: docs/contract.md, "Leads". */
export const leadFields = {
  firstName: text(200),
  lastName: text(200),
  jobTitle: text(300),
  company: text(300),
  companyDomain: text(253),
  linkedinUrl: text(2000),
  mobile: text(64),
  country: text(100),
  city: text(100),
  timezone: timezone.nullable().optional(),
  personId: text(200),
  lawfulBasis: lawfulBasis
    .nullable()
    .optional()
    .meta({ description: 'The basis on which the data is processed (GDPR Art. 6(1)), as the customer states it.' }),
  dataSource: text(500).meta({
    description: 'Where the data came from, for example the name of a register or a trade fair.',
  }),
  basisNote: text(2000).meta({ description: 'A note about the basis, for example where the assessment is filed.' }),
  trackingConsent: z
    .boolean()
    .nullable()
    .optional()
    .meta({
      description:
        'Whether the person agreed to tracked opens and clicks. Campaigns with `settings.tracking: by_consent` track only ' +
        'leads with `true`. Null if the person was not asked.',
    }),
  customVariables: customVariables.optional(),
}

type ProfileField = Exclude<keyof typeof leadFields, 'customVariables'>

/**
 * The names of the fields that describe the person behind a lead. Every other list of them, including those in SQL, is derived from this
 * one.
 */
export const profileFields = Object.keys(leadFields).filter((name) => name !== 'customVariables') as ProfileField[]

/** Fields for the customer's own records. Templates can't use them, so a custom variable may have the same name. */
export const recordFields = ['personId', 'lawfulBasis', 'dataSource', 'basisNote', 'trackingConsent'] as const
export type RecordField = (typeof recordFields)[number]

/** Whether templates can use the field. */
export function isForTexts(name: ProfileField): name is Exclude<ProfileField, RecordField> {
  return !(recordFields as readonly string[]).includes(name)
}

/** The fields that are not plain texts. */
const otherThanTexts = { lawfulBasis, trackingConsent: z.boolean() }
type OtherThanTexts = typeof otherThanTexts
type FieldSchema<Field> = Field extends keyof OtherThanTexts ? OtherThanTexts[Field] : z.ZodString

/** The fields that describe the person behind a lead; null if a field was not given. */
export type LeadProfile = { [Field in ProfileField]: z.infer<FieldSchema<Field>> | null }

function schemaFor(name: ProfileField): z.ZodType {
  return name in otherThanTexts ? otherThanTexts[name as keyof OtherThanTexts] : z.string()
}

/** The schema of these fields in an answer. */
export const leadProfile = Object.fromEntries(profileFields.map((name) => [name, schemaFor(name).nullable()])) as {
  [Field in ProfileField]: z.ZodNullable<FieldSchema<Field>>
}
export type CustomVariables = z.infer<typeof customVariables>

/** Further fields of a people-search result. They are stored, except for masked values. */
const searchResultFields = {
  seniority: text(100),
  companyInfo: namedObject('CompanyInfoInput', {
    name: text(300),
    domain: text(253),
    website: text(2000),
    logoUrl: text(2000),
    industry: text(200),
    employeeCount: z.number().nullable().optional(),
    employeeRange: text(50),
    country: text(100),
    city: text(100),
  })
    .nullable()
    .optional(),
  emailMasked: text(320),
  mobileMasked: text(64),
}

export const leadInput = namedObject('LeadInput', { email, ...leadFields, ...searchResultFields })
export type LeadInput = z.infer<typeof leadInput>

const addOutcome = z.enum(['added', 'updated', 'skipped', 'invalid']).meta({ id: 'AddLeadOutcome' })
const addReason = z
  .enum(['duplicate', 'in_other_campaign', 'suppressed', 'invalid_email', 'invalid_field'])
  .meta({ id: 'AddLeadReason' })
export const addLeadResult = namedObject('AddLeadResult', {
  index: z.number().int(),
  email: z.string().nullable(),
  outcome: addOutcome,
  reason: addReason.nullable(),
  leadId: z.string().nullable(),
  field: z.string().optional().meta({ description: 'The field that makes an item invalid.' }),
  message: z.string().optional().meta({ description: 'The problem of that field, and what to do.' }),
})
export type AddLeadResult = z.infer<typeof addLeadResult>

export const addLeadsOutput = namedObject('AddLeadsResults', {
  added: z.number().int(),
  updated: z.number().int(),
  skipped: z.number().int(),
  invalid: z.number().int(),
  results: z.array(addLeadResult),
  /** With `reveal`: the cost to reveal all of these people, and the credits that were spent within `maxCredits`. */
  estimatedCredits: z.number().int().optional(),
  creditsCharged: z.number().int().optional(),
})
export type AddLeadsOutput = z.infer<typeof addLeadsOutput>

/** The schema from which a client builds an item. The server accepts any value, and reports an invalid lead in the result of its item. */
export const leadItem = leadInput
  .partial({ email: true })
  .meta({ id: 'LeadItem', description: 'The fields of a lead: `email` is required, except with `reveal`.' })
export type LeadItem = z.infer<typeof leadItem>

/** The command checks items one by one, so that a bad item never fails the call. Source: docs/contract.md, "Conventions". */
export const addLeadsInput = namedObject('AddLeadsInput', {
  leads: z.array(checkedLater(leadItem)).min(1).max(1000),
  onDuplicate: z.enum(['skip', 'update']).default('skip'),
  skipIfInOtherCampaign: z.boolean().default(false),
  /** Reveals the emails of people-search results that have none. `maxCredits: 0` only returns the cost. */
  reveal: z.boolean().optional(),
  maxCredits: z.number().int().min(0).max(1_000_000).optional(),
})
export type AddLeadsInput = z.infer<typeof addLeadsInput>

export const leadId = id
