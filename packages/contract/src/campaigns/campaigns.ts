import { z } from 'zod'
import {
  calendarDate,
  clockTime,
  clockTimeEnd,
  id,
  namedObject,
  ownerId,
  timestamp,
  timezone,
  weekday,
} from '../common.ts'
import { bounceProtection } from './bounce-protection.ts'
import { providerMatching } from '../deliverability/recipient-provider.ts'
import { verificationSettings } from '../verification/verification-settings.ts'
import { campaignStatuses, stepsMax, stepTypes, variantsMax } from '../vocabularies.ts'
import { branch, branchList, entry, entryInput } from './conditions.ts'
import { addLeadsOutput, leadInput } from './lead-fields.ts'
import { taskStep, taskStepInput } from './task-step.ts'
import { variant, variantInput, variantSelection } from './variants.ts'
import { wait } from './wait.ts'
import { defaultPrivacySettings, privacySettings } from './privacy-settings.ts'
import { scheduleHolidays } from '../holidays/calendar.ts'
import { tagIds } from '../tags/tags.ts'
import { signalName } from '../signals/signal-name.ts'

export const campaignStatus = z.enum(campaignStatuses).meta({ id: 'CampaignStatus' })
export type CampaignStatus = z.infer<typeof campaignStatus>
export { campaignActions, structureEditableIn, type CampaignAction } from '../vocabularies.ts'

export { variant, type Variant, type VariantInput } from './variants.ts'
export { waitUnit, type Wait } from './wait.ts'

export { stepsMax, variantsMax } from '../vocabularies.ts'
export { type Branch, type BranchInput, type Condition, type Entry } from './conditions.ts'

const stepType = z.enum(stepTypes).meta({
  id: 'StepType',
  description:
    '`email` sends a message; `branch` decides which step each lead gets next; `task` is done by a person. Fixed once the ' +
    'step is stored.',
})
export const stepKey = z.string().regex(/^[a-z0-9_-]{1,40}$/, 'Use up to 40 of a–z, 0–9, _ and -.')

/** One step in a request. */
export const stepInput = namedObject('StepInput', {
  id: id.optional(),
  position: z.number().int().optional(),
  type: stepType.optional(),
  key: stepKey.nullable().optional().meta({
    description:
      'A key that is unique in the campaign, for steps that have no id yet. The body can refer to steps by it.',
  }),
  waitBefore: wait.optional(),
  then: id
    .nullable()
    .optional()
    .meta({
      description:
        'Where leads go next: the id or key of a later step, or `end`. Null means the next step. For a branch: where leads go ' +
        'if no branch matches.',
    }),
  sameThread: z.boolean().optional(),
  variantSelection: variantSelection.optional(),
  variants: z.array(variantInput).max(variantsMax).optional().meta({ description: 'An email step has at least one.' }),
  branches: branchList
    .optional()
    .meta({ description: 'A branch step has at least one. The first branch that matches decides.' }),
  ...taskStepInput,
})
export type StepInput = z.infer<typeof stepInput>

export const step = namedObject('Step', {
  id: z.string(),
  position: z.number().int(),
  type: stepType,
  key: z.string().nullable(),
  waitBefore: wait,
  then: z.string().nullable(),
  sameThread: z.boolean(),
  variantSelection,
  variants: z.array(variant),
  branches: z.array(branch),
  ...taskStep,
})
export type Step = z.infer<typeof step>

export const scheduleWindow = namedObject('ScheduleWindow', {
  days: z.array(weekday).min(1).max(7),
  from: clockTime,
  to: clockTimeEnd,
})
export const schedule = namedObject('Schedule', {
  timezone,
  useLeadTimezone: z.boolean(),
  windows: z.array(scheduleWindow).max(50),
  startDate: calendarDate.nullable(),
  endDate: calendarDate.nullable(),
  blackoutDates: z.array(calendarDate).max(1000),
  holidays: scheduleHolidays.nullable().meta({
    description:
      'A calendar whose public holidays have no sending window and are no business days. Null for none, as in campaigns that ' +
      'are older than this field.',
  }),
})
export type Schedule = z.infer<typeof schedule>
export const scheduleInput = schedule.partial().meta({ id: 'ScheduleInput' })

const stopSignalsMax = 20
const cap = z.number().int().min(1).max(1_000_000).nullable()
export const settings = namedObject('CampaignSettings', {
  dailyLimit: cap,
  dailyNewLeadLimit: z.number().int().min(0).max(1_000_000).nullable(),
  stopOnReply: z.boolean(),
  stopOnAutoReply: z.boolean(),
  stopOnMeetingBooked: z.boolean(),
  stopForCompany: z.boolean(),
  stopOnSignals: z
    .array(signalName)
    .max(stopSignalsMax)
    .meta({ description: 'Names of signals that stop the leads they speak of, from when they are set.' }),
  ...privacySettings,
  openTracking: z.boolean(),
  linkTracking: z.boolean(),
  textOnly: z.boolean(),
  unsubscribe: z.enum(['link', 'header_only']),
  bounceProtection,
  maxPerRecipientDomainPerDay: cap,
  aiApproval: z.enum(['none', 'first_n', 'all']),
  aiTriage: z
    .strictObject({ modelId: z.string().min(1).max(200) })
    .nullable()
    .meta({ description: 'The model that classifies replies in addition to the rules. Null for no model.' }),
  replyDrafts: z.enum(['off', 'on']).meta({
    description:
      'Whether the model of `aiTriage` drafts replies to messages that it reads as interested, a question or an objection. A person ' +
      'sends them.',
  }),
  verification: verificationSettings,
  providerMatching,
  followsListId: id.nullable().meta({
    description:
      'The list of people that fills the campaign: each member becomes a lead, also those that are added later.',
  }),
})
export type Settings = z.infer<typeof settings>
export const settingsInput = settings
  .extend({
    bounceProtection: bounceProtection.partial().meta({ id: 'BounceProtectionInput' }),
    verification: verificationSettings.partial(),
  })
  .partial()
  .meta({ id: 'CampaignSettingsInput' })

export const defaultSettings: Settings = {
  dailyLimit: null,
  dailyNewLeadLimit: null,
  stopOnReply: true,
  stopOnAutoReply: false,
  stopOnMeetingBooked: true,
  stopForCompany: false,
  stopOnSignals: [],
  ...defaultPrivacySettings,
  openTracking: false,
  linkTracking: false,
  textOnly: false,
  unsubscribe: 'link',
  bounceProtection: { enabled: true, maxBounceRate: 0.05, minSent: 50 },
  maxPerRecipientDomainPerDay: null,
  aiApproval: 'none',
  aiTriage: null,
  replyDrafts: 'off',
  verification: { mode: 'off', roleAddresses: 'allow' },
  providerMatching: 'off',
  followsListId: null,
}

/** Monday to Friday 09:00–17:00 in the account's zone. Source: docs/contract.md, "Campaigns". */
export function defaultSchedule(accountTimezone: string): Schedule {
  return {
    timezone: accountTimezone,
    useLeadTimezone: false,
    windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }],
    startDate: null,
    endDate: null,
    blackoutDates: [],
    holidays: null,
  }
}

export const campaignName = z.string().trim().min(1).max(200)
const editable = {
  name: campaignName.optional(),
  steps: z.array(stepInput).max(stepsMax).optional(),
  schedule: scheduleInput.optional(),
  sendingAccountIds: z.array(id).max(1000).optional(),
  settings: settingsInput.optional(),
  entry: entryInput
    .nullable()
    .optional()
    .meta({
      description:
        'Takes over people from other campaigns, as a sub-sequence. Its first message may wait for some time after the event, and ' +
        'may continue the thread that the person knows.',
    }),
  ownerId: id.nullable().optional(),
}

export const campaign = namedObject('Campaign', {
  id: z.string(),
  name: z.string(),
  status: campaignStatus,
  statusReason: z.string().nullable(),
  steps: z.array(step),
  schedule,
  sendingAccountIds: z.array(z.string()),
  settings,
  entry: entry.nullable(),
  ownerId,
  tagIds,
  leadCount: z.number().int(),
  createdAt: timestamp,
  updatedAt: timestamp,
  launchedAt: timestamp.nullable(),
  completedAt: timestamp.nullable(),
})
export type Campaign = z.infer<typeof campaign>

export const createCampaignInput = namedObject('CreateCampaignInput', { ...editable, name: campaignName })
export type CreateCampaignInput = z.infer<typeof createCampaignInput>

export const copyCampaignInput = namedObject('CopyCampaignInput', {
  name: campaignName.optional(),
  /** Also copies its leads, who start again from the beginning. */
  withLeads: z.boolean().default(false),
})

/** Read-only fields may be sent back unchanged (docs/contract.md, "Conventions"). The command refuses a changed one. */
const readOnly = {
  id: z.string().optional(),
  status: z.string().optional(),
  statusReason: z.string().nullable().optional(),
  tagIds: z.array(z.string()).optional(),
  leadCount: z.number().optional(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
  launchedAt: z.string().nullable().optional(),
  completedAt: z.string().nullable().optional(),
}
/** Enough for fifty steps with their variants, or for a thousand leads. */
export const campaignBytesMax = 10 * 1024 * 1024

export const updateCampaignInput = namedObject('UpdateCampaignInput', { ...editable, ...readOnly })
export type UpdateCampaignInput = z.infer<typeof updateCampaignInput>

const launchLeads = z.array(leadInput).max(1000)
/** Either a whole campaign with its leads, or `campaignId` of a draft, but never both. Source: docs/contract.md, "Campaigns". */
export const launchInput = z
  .strictObject({ ...editable, campaignId: id.optional(), leads: launchLeads.optional() })
  .superRefine((input, context) => {
    if (input.campaignId === undefined) {
      if (input.name === undefined)
        context.addIssue({
          code: 'custom',
          path: ['name'],
          message: 'Required unless campaignId is the id of a draft.',
        })
      return
    }
    for (const field of ['name', 'steps', 'schedule', 'sendingAccountIds', 'settings', 'entry', 'ownerId'] as const) {
      if (input[field] !== undefined)
        context.addIssue({
          code: 'custom',
          path: [field],
          message: "Can't be sent with campaignId. Update the draft first.",
        })
    }
  })
  .meta({ id: 'LaunchCampaignInput' })
export type LaunchInput = z.infer<typeof launchInput>

export const launchOutput = campaign.extend({ leadResults: addLeadsOutput }).meta({ id: 'LaunchedCampaign' })
