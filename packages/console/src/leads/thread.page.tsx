import type { Lead } from '@overture/sdk'
import { Columns, Empty, Panel, Shown } from '../platform/ui/index.ts'
import { LeadPage } from './lead-frame.panel.tsx'
import { useUpdateLead } from './leads.actions.ts'
import { text } from './leads.messages.ts'
import { useThread } from './leads.queries.ts'
import { ProfileForm } from './profile-form.tsx'
import { ThreadMessages } from './thread/thread-messages.tsx'

export function LeadThreadPage() {
  return (
    <LeadPage tab="thread">
      {(lead) => (
        <Columns>
          <Messages lead={lead} />
          <Details key={lead.id} lead={lead} />
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

function Details({ lead }: { lead: Lead }) {
  const update = useUpdateLead({ campaignId: lead.campaignId, leadId: lead.id })
  return <ProfileForm profile={lead} update={update} />
}
