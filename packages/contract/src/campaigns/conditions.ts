import { z } from 'zod'
import { id, namedObject } from '../common.ts'
import { triageIntents } from '../inbox/triage.ts'
import { signalName } from '../signals/signal-name.ts'
import {
  branchesMax,
  conditionListMax,
  conditionTests,
  deeds,
  entrySourcesMax,
  interests,
  taskOutcomes,
} from '../vocabularies.ts'
import { profileFields } from './lead-fields.ts'

export { branchesMax, conditionLeavesMax } from '../vocabularies.ts'

const deed = z.enum(deeds).meta({
  id: 'Deed',
  description: 'What a lead can do. Only opens and clicks by people count, not those by machines.',
})

const conditionTest = z.enum(conditionTests).meta({ id: 'ConditionTest' })
export type ConditionTest = z.infer<typeof conditionTest>

/** Fields that a condition may ask for besides `customVariables.x`. */
export const conditionFields: readonly string[] = ['email', ...profileFields]

const fieldValue = z.union([z.string().max(1000), z.number(), z.boolean()])
export type FieldValue = z.infer<typeof fieldValue>

const question = {
  did: deed.optional(),
  stepId: id.optional().meta({ description: 'With `did`: only for the message of the step with this id or key.' }),
  url: z.string().min(1).max(2000).optional().meta({
    description: 'With `did: clicked`: exactly this link, or with `*` at the end every link that starts with it.',
  }),
  times: z
    .number()
    .int()
    .min(1)
    .max(1000)
    .optional()
    .meta({ description: 'With `did`: the minimum number of times. The default is once.' }),
  withinHours: z.number().int().min(1).max(8760).optional().meta({
    description: 'With `did`: within this many hours after the message.',
  }),
  interest: z.array(z.enum(interests).nullable()).min(1).max(10).optional().meta({
    description: 'The label of the lead is one of these. Null means no label.',
  }),
  intent: z.array(z.enum(triageIntents)).min(1).max(triageIntents.length).optional().meta({
    description: 'The intent of the last reply, as classified by a model, is one of these.',
  }),
  field: z.string().min(1).max(100).optional().meta({
    description: 'A field of the lead, or `customVariables.x`. Case and outer spaces are ignored.',
  }),
  is: conditionTest.optional(),
  value: z
    .union([fieldValue, z.array(fieldValue).min(1).max(100)])
    .optional()
    .meta({
      description: 'The value to compare with. A list with `is: in`, not set with `exists` and `missing`.',
    }),
  signal: signalName.optional().meta({
    description: 'A signal of this name was recorded for the lead, its address or its company.',
  }),
  withinDays: z
    .number()
    .int()
    .min(1)
    .max(365)
    .optional()
    .meta({ description: 'With `signal`: the maximum age in days.' }),
  task: id.optional().meta({
    description: 'The task of the step with this id or key is closed. The step is on the path before the branch.',
  }),
  outcome: z
    .array(z.enum([...taskOutcomes, 'skipped']))
    .max(taskOutcomes.length + 1)
    .optional()
    .meta({
      description:
        'With `task`: its outcome is one of these; `skipped` also means expired. Without it: the task was completed, with any outcome.',
    }),
  chance: z.number().int().min(1).max(99).optional().meta({
    description:
      'The percentage of leads. A lead draws once per step: 30 in one branch and 50 in the next one select 30, then 20 more.',
  }),
}

/** A question, or a group of conditions of the level below. */
function conditionGroup<const Inner extends z.ZodObject>(inner: Inner) {
  return {
    all: z.array(inner).min(1).max(conditionListMax).optional(),
    any: z.array(inner).min(1).max(conditionListMax).optional(),
    not: inner.optional(),
    ...question,
  }
}

// The levels are written out one by one, since code generators of many languages can't read a schema that contains itself.
const innermost = namedObject('ConditionQuestion', question)
const inner = namedObject('ConditionInner', conditionGroup(innermost))
const middle = namedObject('ConditionMiddle', conditionGroup(inner))

/** A condition. Source: docs/branches.md. */
export const condition = z.strictObject(conditionGroup(middle)).meta({
  id: 'Condition',
  description:
    'Exactly one of `all`, `any`, `not`, `did`, `interest`, `intent`, `field`, `signal`, `task` or `chance`. At most 16 ' +
    'of the last seven in total, with groups nested at most three levels deep.',
})
export type Condition = z.infer<typeof condition>

const branchFields = {
  goTo: id.nullable().optional().meta({
    description:
      'The id or key of a later step, `end`, or another campaign that takes over the person. Null means the next step.',
  }),
  immediately: z.boolean().optional().meta({
    description: 'Decides as soon as the condition becomes true, before the wait is over.',
  }),
}

/** One branch in a request. */
export const branchInput = namedObject('BranchInput', {
  id: id.optional(),
  label: z.string().min(1).max(100).optional(),
  when: condition,
  ...branchFields,
})
export type BranchInput = z.infer<typeof branchInput>

export const branch = namedObject('Branch', {
  id: z.string(),
  label: z.string(),
  when: condition,
  goTo: z.string().nullable(),
  immediately: z.boolean(),
})
export type Branch = z.infer<typeof branch>

export const branchList = z.array(branchInput).max(branchesMax)

const sources = z.union([z.literal('any'), z.array(id).max(entrySourcesMax)]).meta({
  description:
    'Campaigns whose leads this campaign takes over. `any` means all others. An empty list means only leads that a branch hands over.',
})
const entryCondition = condition.nullable().meta({
  description:
    'The condition, checked when something happens to such a lead. It needs at least one of did, interest, intent or signal.',
})

export const entryInput = namedObject('CampaignEntryInput', { from: sources, when: entryCondition.optional() })
export type EntryInput = z.infer<typeof entryInput>

/** The rule by which leads of other campaigns enter this one. Source: docs/branches.md. */
export const entry = namedObject('CampaignEntry', { from: sources, when: entryCondition })
export type Entry = z.infer<typeof entry>
