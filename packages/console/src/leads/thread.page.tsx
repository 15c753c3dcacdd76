import type { Lead } from '@overture/sdk'
import { useState } from 'react'
import { Form, Pair, TextField } from '../platform/form/index.ts'
import { Columns, Empty, issueOf, Panel, Shown } from '../platform/ui/index.ts'
import { LeadPage } from './lead-frame.panel.tsx'
import { useUpdateLead } from './leads.actions.ts'
import { text } from './leads.messages.ts'
import { useThread } from './leads.queries.ts'
import { ThreadMessages } from './thread/thread-messages.tsx'

export function LeadThreadPage() {
  return (
    <LeadPage tab="thread">
      {(lead) => (
        <Columns>
          <Messages lead={lead} />
          <FactsForm key={lead.id} lead={lead} />
        </Columns>
      )}
    </LeadPage>
  )
}

function Messages({ lead }: { lead: Lead }) {
  const thread = useThread(lead.campaignId, lead.id)
  return (
    <Panel title={text.thread}>
      <Shown of={thread}>
        {({ messages }) =>
          messages.length === 0 ? (
            <Empty title={text.emptyThread} />
          ) : (
            <ThreadMessages messages={messages} label={text.thread} />
          )
        }
      </Shown>
    </Panel>
  )
}

const names = ['firstName', 'lastName', 'jobTitle', 'company'] as const

function FactsForm({ lead }: { lead: Lead }) {
  const [facts, setFacts] = useState(() => Object.fromEntries(names.map((name) => [name, lead[name] ?? ''])))
  const update = useUpdateLead({ campaignId: lead.campaignId, leadId: lead.id })
  const field = (name: (typeof names)[number]) => (
    <TextField
      label={text[name]}
      value={facts[name] ?? ''}
      change={(value) => setFacts({ ...facts, [name]: value })}
      error={issueOf(update.error, name)}
    />
  )
  const submit = (): void =>
    update.mutate(Object.fromEntries(names.map((name) => [name, facts[name] === '' ? null : facts[name]])))
  return (
    <Panel title={text.editTitle}>
      <Form guarded submit={submit} submitLabel={text.save} busy={update.isPending} error={update.error}>
        <Pair>
          {field('firstName')}
          {field('lastName')}
        </Pair>
        {field('jobTitle')}
        {field('company')}
      </Form>
    </Panel>
  )
}
