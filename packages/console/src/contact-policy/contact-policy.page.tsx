import type { ContactPolicy } from '@overture/sdk'
import { useState, type ReactNode } from 'react'
import { useAction } from '../platform/api/action.ts'
import { useReading } from '../platform/api/query.ts'
import { CheckField, Form, NumberField, Pair, SelectField } from '../platform/form/index.ts'
import { usePermissionReason, useRole } from '../platform/session/permission.ts'
import { Columns, findIssue, Note, Panel, say, Shown, Stack } from '../platform/ui/index.ts'
import { SettingsPage } from '../settings/index.ts'
import { text } from './contact-policy.messages.ts'
import { toFields, isComplete, toPolicy, type PolicyFields } from './policy-fields.ts'
import { PolicyPreview } from './policy-preview.panel.tsx'

const key = ['contact-policy']

export function ContactPolicyPage() {
  const forbidden = usePermissionReason('getContactPolicy')
  const known = useRole() !== null
  return (
    <SettingsPage tab="contacts">
      {forbidden !== null ? <Note>{forbidden}</Note> : known && <StoredPolicy />}
    </SettingsPage>
  )
}

function StoredPolicy() {
  const policy = useReading<ContactPolicy>({ key, read: (api) => api.account.contactPolicy.get() })
  return <Shown of={policy}>{(data) => <PolicyEditor stored={data} />}</Shown>
}

function PolicyEditor({ stored }: { stored: ContactPolicy }) {
  const [fields, setFields] = useState(() => toFields(stored))
  const update = useAction({
    act: (api) => api.account.contactPolicy.update(toPolicy(fields)),
    stale: () => [key, ['leads'], ['campaigns'], ['diagnosis']],
    done: () => say(text.saved),
  })
  const set = (changed: Partial<PolicyFields>) => setFields({ ...fields, ...changed })
  return (
    <Columns>
      <Panel title={text.title}>
        <p>{text.lead}</p>
        <Form
          operation="updateContactPolicy"
          guarded
          submit={() => update.mutate()}
          submitLabel={text.save}
          busy={update.isPending}
          error={update.error}
        >
          <CountLimits fields={fields} set={set} error={update.error} />
          <CheckField
            label={text.oneCampaign}
            hint={text.oneCampaignHint}
            checked={fields.oneCampaignAtATime}
            change={(oneCampaignAtATime) => set({ oneCampaignAtATime })}
          />
          <QuietLimits fields={fields} set={set} error={update.error} />
          <CheckField
            label={text.manual}
            hint={text.manualHint}
            checked={fields.stopOnManualMail}
            change={(stopOnManualMail) => set({ stopOnManualMail })}
          />
        </Form>
      </Panel>
      <Panel title={text.preview}>
        <p>{text.previewLead}</p>
        <PolicyPreview policy={toPolicy(fields)} complete={isComplete(fields)} />
      </Panel>
    </Columns>
  )
}

interface LimitProps {
  fields: PolicyFields
  set: (changed: Partial<PolicyFields>) => void
  error: unknown
}

function CountLimits({ fields: { perPerson, perCompany }, set, error }: LimitProps) {
  return (
    <>
      <Limit
        label={text.perPerson}
        hint={text.perPersonHint}
        limit={perPerson}
        change={(on) => set({ perPerson: { ...perPerson, on } })}
      >
        <NumberField
          label={text.messages}
          min={1}
          value={perPerson.messages}
          change={(messages) => set({ perPerson: { ...perPerson, messages } })}
          error={findIssue(error, 'perPerson.messages')}
        />
        <NumberField
          label={text.days}
          min={1}
          value={perPerson.days}
          change={(days) => set({ perPerson: { ...perPerson, days } })}
          error={findIssue(error, 'perPerson.days')}
        />
      </Limit>
      <Limit
        label={text.perCompany}
        hint={text.perCompanyHint}
        limit={perCompany}
        change={(on) => set({ perCompany: { ...perCompany, on } })}
      >
        <NumberField
          label={text.people}
          min={1}
          value={perCompany.people}
          change={(people) => set({ perCompany: { ...perCompany, people } })}
          error={findIssue(error, 'perCompany.people')}
        />
        <NumberField
          label={text.days}
          min={1}
          value={perCompany.days}
          change={(days) => set({ perCompany: { ...perCompany, days } })}
          error={findIssue(error, 'perCompany.days')}
        />
      </Limit>
    </>
  )
}

function QuietLimits({ fields: { quiet, conversation }, set, error }: LimitProps) {
  return (
    <>
      <Limit label={text.quiet} hint={text.quietHint} limit={quiet} change={(on) => set({ quiet: { ...quiet, on } })}>
        <NumberField
          label={text.quietDays}
          min={1}
          value={quiet.days}
          change={(days) => set({ quiet: { ...quiet, days } })}
          error={findIssue(error, 'quietAfterReplyDays')}
        />
      </Limit>
      <Limit
        label={text.conversation}
        hint={text.conversationHint}
        limit={conversation}
        change={(on) => set({ conversation: { ...conversation, on } })}
      >
        <NumberField
          label={text.quietDays}
          min={1}
          value={conversation.days}
          change={(days) => set({ conversation: { ...conversation, days } })}
          error={findIssue(error, 'conversation.days')}
        />
        <SelectField
          label={text.scope}
          choices={(['person', 'company'] as const).map((value) => ({ value, label: text.scopes[value] }))}
          value={conversation.scope}
          change={(scope) =>
            set({ conversation: { ...conversation, scope: scope === 'company' ? 'company' : 'person' } })
          }
        />
      </Limit>
    </>
  )
}

function Limit({
  label,
  hint,
  limit,
  change,
  children,
}: {
  label: string
  hint: string
  limit: { on: boolean }
  change: (on: boolean) => void
  children: ReactNode
}) {
  return (
    <Stack>
      <CheckField label={label} hint={hint} checked={limit.on} change={change} />
      {limit.on && <Pair>{children}</Pair>}
    </Stack>
  )
}
