import type { Campaign, CampaignEntry, Condition, Step, UpdateCampaignInput } from '@overture/sdk'
import { useState } from 'react'
import { useCampaigns, useUpdateCampaign } from '../../campaigns/index.ts'
import { CheckGroup, Form, SelectField, type Choice } from '../../platform/form/index.ts'
import { numberText } from '../../platform/time/format.ts'
import { findIssue, Panel, say } from '../../platform/ui/index.ts'
import { text } from './branches.messages.ts'
import { ConditionForm } from './condition-form.tsx'
import { newQuestion, type AnyCondition } from './conditions.ts'
import { text as sequenceText } from '../sequence.messages.ts'
import { leadFields } from '../variables.ts'

const ways = ['none', 'handed', 'some', 'any'] as const
type EntryWay = (typeof ways)[number]
const sourcesMax = 20

/** The rule by which leads of other campaigns enter this one. */
export function EntryForm({ campaign }: { campaign: Campaign }) {
  const [way, setWay] = useState<EntryWay>(() => entryWay(campaign.entry))
  const [from, setFrom] = useState<readonly string[]>(() => sourceIds(campaign.entry))
  const [when, setWhen] = useState<AnyCondition>(() => campaign.entry?.when ?? newQuestion('interest'))
  const others = (useCampaigns().data?.results ?? []).filter(({ id }) => id !== campaign.id)
  const update = useUpdateCampaign(campaign.id)
  const asks = way === 'some' || way === 'any'
  const submit = (): void =>
    update.mutate({ entry: toEntry(way, from, when) }, { onSuccess: () => say(text.entrySaved) })
  const sources = way === 'any' ? others : others.filter(({ id }) => from.includes(id))
  return (
    <Panel title={text.entry}>
      <Form
        operation="updateCampaign"
        guarded
        label={text.entry}
        submit={submit}
        submitLabel={text.entrySave}
        busy={update.isPending}
        error={update.error}
      >
        <p>{text.entryText}</p>
        <SelectField
          label={text.comes}
          value={way}
          choices={ways.map((value) => ({ value, label: text.comesFrom[value] }))}
          change={(next) => setWay(next as EntryWay)}
          error={findIssue(update.error, 'entry')}
        />
        {way === 'some' && others.length === 0 && <p>{text.noSources}</p>}
        {way === 'some' && others.length > 0 && (
          <CheckGroup
            label={text.sources}
            choices={others.map(({ id, name }) => ({ value: id, label: name }))}
            value={from}
            change={setFrom}
            error={sourceIssue(update.error)}
          />
        )}
        {asks && (
          <fieldset>
            <legend>{text.entryWhen}</legend>
            <p>{text.entryHint}</p>
            <ConditionForm
              value={when}
              change={setWhen}
              issueAt={(path) => findIssue(update.error, `entry.when${path}`)}
              askable={{
                messages: sources.flatMap(messageChoices),
                tasks: sources.flatMap(taskChoices),
                fields: leadFields,
              }}
              disabled={false}
            />
          </fieldset>
        )}
      </Form>
    </Panel>
  )
}

function entryWay(entry: CampaignEntry | null): EntryWay {
  if (entry === null) return 'none'
  if (entry.from === 'any') return 'any'
  return entry.from.length === 0 ? 'handed' : 'some'
}

function sourceIds(entry: CampaignEntry | null): readonly string[] {
  return entry === null || entry.from === 'any' ? [] : entry.from
}

function toEntry(way: EntryWay, from: readonly string[], when: AnyCondition): UpdateCampaignInput['entry'] {
  if (way === 'none') return null
  if (way === 'handed') return { from: [], when: null }
  return { from: way === 'any' ? 'any' : [...from], when: when as Condition }
}

/** The issue of the whole list, or of the first campaign in it that is refused. */
function sourceIssue(error: unknown): string | undefined {
  const paths = Array.from({ length: sourcesMax }, (_none, at) => `entry.from[${at}]`)
  return ['entry.from', ...paths].map((path) => findIssue(error, path)).find((issue) => issue !== undefined)
}

function messageChoices(campaign: Campaign): Choice[] {
  return stepChoices(campaign, 'email')
}

function taskChoices(campaign: Campaign): Choice[] {
  return stepChoices(campaign, 'task')
}

function stepChoices({ name, steps }: Campaign, wanted: Step['type']): Choice[] {
  return steps.flatMap(({ id, type, position }) =>
    type === wanted ? [{ value: id, label: `${name} · ${sequenceText.step(numberText(position))}` }] : [],
  )
}
