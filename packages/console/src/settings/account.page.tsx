import type { Account } from '@overture/sdk'
import { useEffect, useRef, useState } from 'react'
import { useAction } from '../platform/api/action.ts'
import { AreaField, Form, TextField, useSearchParams, ZoneField } from '../platform/form/index.ts'
import { Time } from '../platform/time/now.tsx'
import { Columns, Facts, findIssue, Panel, say, Shown } from '../platform/ui/index.ts'
import { useAccount } from './account.queries.ts'
import { DataFlows } from './data-flows/data-flows.panel.tsx'
import { SettingsPage } from './settings-page.tsx'
import { text } from './settings.messages.ts'

export function AccountPage() {
  const account = useAccount()
  return (
    <SettingsPage tab="account">
      <Shown of={account}>
        {(data) => (
          <Columns>
            <AccountForm key={data.id + data.environment} account={data} />
            <Panel title={text.facts}>
              <Facts
                items={[
                  { label: text.id, value: <code>{data.id}</code> },
                  { label: text.created, value: <Time at={data.createdAt} /> },
                ]}
              />
            </Panel>
          </Columns>
        )}
      </Shown>
      <DataFlows />
    </SettingsPage>
  )
}

function AccountForm({ account }: { account: Account }) {
  const live = account.environment === 'live'
  const [fields, setFields] = useState({
    name: account.name,
    defaultTimezone: account.defaultTimezone,
    postalAddress: account.postalAddress ?? '',
    privacyContact: account.privacyContact ?? '',
    privacyUrl: account.privacyUrl ?? '',
    replyKnowledge: account.replyKnowledge ?? '',
  })
  const update = useAction({
    act: (api) => {
      const { name, defaultTimezone, ...inMail } = fields
      const written = Object.fromEntries(Object.entries(inMail).map(([key, value]) => [key, value.trim() || null]))
      return api.account.update({ name, defaultTimezone, ...(live && written) })
    },
    stale: () => [['account']],
    done: () => say(text.saved),
  })
  const area = useAsked(useSearchParams()[0]['field'] === 'postalAddress')
  const set = (name: keyof typeof fields) => (value: string) => setFields({ ...fields, [name]: value })
  return (
    <Panel title={text.account}>
      <Form
        guarded
        operation="updateAccount"
        submit={() => update.mutate()}
        submitLabel={text.save}
        busy={update.isPending}
        error={update.error}
      >
        <TextField label={text.name} value={fields.name} change={set('name')} error={findIssue(update.error, 'name')} />
        <ZoneField
          label={text.timezone}
          hint={text.timezoneHint}
          value={fields.defaultTimezone}
          change={set('defaultTimezone')}
          error={findIssue(update.error, 'defaultTimezone')}
        />
        <div ref={area}>
          <AreaField
            label={text.postalAddress}
            hint={live ? text.postalHint : text.postalInTest}
            rows={3}
            disabled={!live}
            value={fields.postalAddress}
            change={set('postalAddress')}
            error={findIssue(update.error, 'postalAddress')}
          />
        </div>
        {(['privacyContact', 'privacyUrl'] as const).map((name) => (
          <TextField
            key={name}
            label={text[name]}
            hint={live ? text[`${name}Hint`] : text.postalInTest}
            optional
            disabled={!live}
            value={fields[name]}
            change={set(name)}
            error={findIssue(update.error, name)}
          />
        ))}
        <AreaField
          label={text.replyKnowledge}
          hint={live ? text.replyKnowledgeHint : text.postalInTest}
          optional
          rows={6}
          disabled={!live}
          value={fields.replyKnowledge}
          change={set('replyKnowledge')}
          error={findIssue(update.error, 'replyKnowledge')}
        />
      </Form>
    </Panel>
  )
}

/** Focuses the field inside the element if a link asked for it. */
function useAsked(isAsked: boolean) {
  const around = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isAsked) around.current?.querySelector('textarea')?.focus()
  }, [isAsked])
  return around
}
