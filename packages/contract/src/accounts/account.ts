import { z } from 'zod'
import { environment, namedObject, timestamp, timezone } from '../common.ts'
import { planId } from './credits.ts'
import { endpoint } from '../endpoint.ts'

/** The name of the account that a first start makes. No user chose it, so recipients don't see it. */
export const unnamedAccount = 'My account'

/** The longest text that drafted replies are written from. */
export const replyKnowledgeMax = 20_000

export const plan = planId
export type Plan = z.infer<typeof plan>

export const accountLimits = namedObject('AccountLimits', {
  requestsPerMinute: z.number().int(),
  burstPerSecond: z.number().int(),
  monthlyRequests: z.number().int(),
  maxApiKeys: z.number().int(),
})
export type AccountLimits = z.infer<typeof accountLimits>

export const defaultLimits: Readonly<AccountLimits> = {
  requestsPerMinute: 60,
  burstPerSecond: 10,
  monthlyRequests: 50_000,
  maxApiKeys: 3,
}

export const trial = namedObject('Trial', {
  endsAt: timestamp,
  leadCreditCap: z.number().int(),
  leadCreditsUsed: z.number().int(),
})

export const account = namedObject('Account', {
  id: z.string(),
  name: z.string(),
  plan,
  environment,
  apiAccessEnabled: z.boolean(),
  defaultTimezone: z.string(),
  postalAddress: z.string().nullable(),
  privacyContact: z.string().nullable().meta({
    description: 'The contact for questions about personal data, such as an email address. Privacy notices name it.',
  }),
  privacyUrl: z
    .string()
    .nullable()
    .meta({ description: 'The page with the privacy policy of the account. Linked in privacy notices.' }),
  replyKnowledge: z.string().nullable().meta({
    description:
      'The facts about the account and its offer that drafted replies may use, as plain text. Null if nothing was written.',
  }),
  linksReachRecipients: z.boolean().meta({
    description:
      'Whether recipients can open the links of live mail: the URL of this server is https and has a public name. Otherwise no ' +
      'live campaign can start.',
  }),
  limits: accountLimits,
  usage: namedObject('AccountUsage', {
    monthlyRequests: z.number().int(),
    monthlyRequestsRemaining: z.number().int(),
    periodStart: timestamp,
    resetsAt: timestamp,
    activeApiKeys: z.number().int(),
  }),
  credits: z.strictObject({ balance: z.number().int() }),
  trial: trial.nullable(),
  createdAt: timestamp,
})
export type Account = z.infer<typeof account>

const example: Account = {
  id: 'acc_1m3q8z0c0n7t5w2k9x',
  name: 'Example Ltd',
  plan: 'self_hosted',
  environment: 'test',
  apiAccessEnabled: true,
  defaultTimezone: 'Europe/Berlin',
  postalAddress: 'Example Ltd, 1 High Street, London',
  privacyContact: 'privacy@example.com',
  privacyUrl: 'https://example.com/privacy',
  replyKnowledge: 'A seat costs 20 euros a month. A trial takes 14 days.',
  linksReachRecipients: true,
  limits: defaultLimits,
  usage: {
    monthlyRequests: 12,
    monthlyRequestsRemaining: 49_988,
    periodStart: '2026-11-01T00:00:00.000Z',
    resetsAt: '2026-12-01T00:00:00.000Z',
    activeApiKeys: 2,
  },
  credits: { balance: 1000 },
  trial: null,
  createdAt: '2026-11-02T09:30:00.000Z',
}

export const updateAccountInput = namedObject('UpdateAccountInput', {
  name: z.string().trim().min(1).max(200).optional(),
  defaultTimezone: timezone.optional(),
  postalAddress: z.string().trim().min(1).max(500).nullable().optional(),
  privacyContact: z.string().trim().min(1).max(200).nullable().optional(),
  privacyUrl: z
    .url({ protocol: /^https$/ })
    .max(500)
    .nullable()
    .optional(),
  replyKnowledge: z.string().trim().min(1).max(replyKnowledgeMax).nullable().optional(),
  // Read-only fields may be sent back unchanged, so that GET, edit, PUT works.
  id: z.string().optional(),
  plan: plan.optional(),
  environment: environment.optional(),
  linksReachRecipients: z.boolean().optional(),
  apiAccessEnabled: z.boolean().optional(),
  limits: account.shape.limits.optional(),
  usage: account.shape.usage.optional(),
  credits: account.shape.credits.optional(),
  trial: account.shape.trial.optional(),
  createdAt: timestamp.optional(),
})

export const accountEndpoints = {
  getAccount: endpoint({
    operationId: 'getAccount',
    call: 'account.get',
    method: 'GET',
    path: '/v2/account',
    environment: 'both',
    scope: 'read',
    summary: 'Get the account',
    description: 'Returns the account of the key with its actual limits and their usage, this request included.',
    tag: 'Account',
    success: [200],
    output: account,
    examples: { output: example },
  }),
  updateAccount: endpoint({
    operationId: 'updateAccount',
    call: 'account.update',
    method: 'PUT',
    path: '/v2/account',
    environment: 'live',
    scope: 'write',
    role: 'admin',
    summary: 'Update the account',
    description:
      'Changes the fields that are sent. Read-only fields may be sent back unchanged. `postalAddress` and the fields of privacy ' +
      'notices appear in mail, so only a live key can change them. Other keys get 403.',
    tag: 'Account',
    body: updateAccountInput,
    success: [200],
    output: account,
    examples: { body: { defaultTimezone: 'Europe/Berlin' }, output: example },
  }),
}
