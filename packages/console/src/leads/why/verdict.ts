import type { Explanation } from '@overture/sdk'
import type { Paths } from '../../paths.ts'
import { text } from './why.messages.ts'

type Gate = Explanation['gates'][number]

export interface Cure {
  to: string
  label: string
}

interface Place {
  campaignId: string
  leadId: string
  email: string
}

/** Gates that only a change opens. Sending now skips none of them. */
const needChange: ReadonlySet<string> = new Set(Object.keys(text.why))

/** The first closed gate that stays closed until something is changed, or null. */
export function lastingGate({ gates }: Pick<Explanation, 'gates'>): Gate | null {
  return gates.find(({ gate, passed, until }) => !passed && until === null && needChange.has(gate)) ?? null
}

/** Why nothing is sent, as the end of a sentence. */
export function reasonText({ gate, detail }: Pick<Gate, 'gate' | 'detail'>): string {
  if (gate === 'missing_variable') return missingText(namesIn(detail))
  const [, state = ''] = /^The campaign is (\w+)\.$/.exec(detail) ?? []
  const states = text.campaignStates as Readonly<Record<string, string>>
  const reasons = text.why as Readonly<Record<string, string>>
  return (gate === 'campaign_not_active' ? states[state] : undefined) ?? reasons[gate] ?? detail.replace(/\.$/, '')
}

/** The names of the variables without a value, from the sentence of the gate. */
export function namesIn(detail: string): string[] {
  const [, list = ''] = /no value for (.+?), and there is no default/.exec(detail) ?? []
  return list.split(', ').filter((name) => name !== '')
}

function missingText(names: readonly string[]): string {
  const fields = text.fieldNames as Readonly<Record<string, string>>
  const shown = names.map((name) => fields[name] ?? name)
  return shown.length === 0 ? text.why.missing_variable : text.missing(shown.join(', '), shown.length > 1)
}

/** The pages where a gate can be opened. */
export function gateCures({ gate }: { gate: string }, { campaignId, leadId, email }: Place, paths: Paths): Cure[] {
  switch (gate) {
    case 'missing_variable':
      return [
        { to: paths.lead(campaignId, leadId), label: text.addIt },
        { to: paths.campaign(campaignId, 'steps'), label: text.setFallback },
      ]
    case 'awaiting_approval':
      return [{ to: paths.campaign(campaignId, 'texts'), label: text.approve }]
    case 'campaign_not_active':
      return [{ to: paths.campaign(campaignId, 'review'), label: text.openCampaign }]
    case 'sender_unavailable':
      return [{ to: paths.campaign(campaignId, 'senders'), label: text.chooseSenders }]
    case 'in_conversation':
    case 'other_campaign':
    case 'person_limit':
    case 'company_limit':
      return [{ to: paths.settings('contacts'), label: text.showPolicy }]
    case 'suppressed':
      return [{ to: `${paths.suppressions}?q=${encodeURIComponent(email)}`, label: text.showSuppression }]
    default:
      return []
  }
}
