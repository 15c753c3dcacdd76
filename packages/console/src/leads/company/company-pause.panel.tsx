import type { CompanyLeadsInput, BulkLeadsResult } from '@overture/sdk'
import { companyDomain } from '@overture/ground/company-domain.ts'
import { useState } from 'react'
import { useAction } from '../../platform/api/action.ts'
import { useReading } from '../../platform/api/query.ts'
import { Button, Dialog, ErrorNote, Row, say } from '../../platform/ui/index.ts'
import type { LeadPlace } from '../leads.actions.ts'
import { useLead } from '../leads.queries.ts'
import { text } from './company.messages.ts'

type Move = CompanyLeadsInput['status']
const moves: readonly Move[] = ['paused', 'active']

/** Pauses or resumes everyone at a person's company, in all campaigns. Shows nothing for an address of a free mail provider. */
export function CompanyPause({ email, company = null, small = false }: CompanyPauseProps) {
  const [open, setOpen] = useState(false)
  const emailDomain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  const domain = companyDomain({ companyDomain: company, emailDomain })
  if (domain === null) return null
  return (
    <>
      <Button
        small={small}
        look={small ? 'quiet' : undefined}
        operation="updateCompanyLeads"
        onClick={() => setOpen(true)}
      >
        {text.open(domain)}
      </Button>
      {open && <CompanyDialog domain={domain} close={() => setOpen(false)} />}
    </>
  )
}

/** The same for a lead of which only the ids are known. */
export function LeadCompanyPause({ campaignId, leadId }: LeadPlace) {
  const lead = useLead(campaignId, leadId)
  return lead.data === undefined ? null : (
    <CompanyPause small email={lead.data.email} company={lead.data.companyDomain} />
  )
}

interface CompanyPauseProps {
  email: string
  company?: string | null
  small?: boolean
}

function CompanyDialog({ domain, close }: { domain: string; close: () => void }) {
  const counts = useCompanyCounts(domain)
  const change = useAction<Move, BulkLeadsResult>({
    act: (api, status) => api.leads.updateCompany({ domain, status }),
    stale: () => [['leads'], ['campaigns'], ['people'], ['conversations'], ['company']],
    done: ({ changed, more }, status) => {
      say(status === 'paused' ? text.paused(changed, domain) : text.resumed(changed, domain))
      if (!more) close()
    },
  })
  const [toPause = 0, toResume = 0] = counts.data ?? []
  const button = (status: Move, label: string, reason: string | null) => (
    <Button
      operation="updateCompanyLeads"
      busy={change.isPending && change.variables === status}
      disabledReason={reason}
      onClick={() => change.mutate(status)}
    >
      {label}
    </Button>
  )
  return (
    <Dialog title={text.title(domain)} open close={close}>
      <p>{counts.data === undefined ? text.counting : text.scope}</p>
      {counts.data !== undefined && (
        <Row>
          {button('paused', text.pause(toPause), toPause === 0 ? text.noneToPause : null)}
          {button('active', text.resume(toResume), toResume === 0 ? text.noneToResume : null)}
        </Row>
      )}
      {change.data?.more === true && <p>{text.more}</p>}
      <ErrorNote error={change.error ?? counts.error} />
    </Dialog>
  )
}

/** How many people could be paused and resumed, in this order. */
function useCompanyCounts(domain: string) {
  return useReading({
    key: ['company', domain],
    read: (api) =>
      Promise.all(
        moves.map(async (status) => {
          const { matched, skipped } = await api.leads.updateCompany({ domain, status, dryRun: true })
          return matched - Object.values(skipped).reduce((sum, count) => sum + count, 0)
        }),
      ),
  })
}
