import type { Tool } from '../tool.ts'
import { addLeads } from './add-leads.ts'
import { campaignReport } from './campaign-report.ts'
import { conversations } from './conversations.ts'
import { explainLead } from './explain-lead.ts'
import { find } from './find.ts'
import { overview } from './overview.ts'
import { pause } from './pause.ts'
import { preview } from './preview.ts'
import { saveCampaign } from './save-campaign.ts'
import { send } from './send.ts'
import { simulate } from './simulate.ts'
import { suppress } from './suppress.ts'
import { tag } from './tag.ts'
import { tasks } from './tasks.ts'

/** Fourteen tools, in the order in which they are usually needed. There are none for keys, webhooks, senders, exports or erasure. */
export const tools: readonly Tool[] = [
  overview,
  find,
  campaignReport,
  explainLead,
  conversations,
  tasks,
  saveCampaign,
  preview,
  addLeads,
  tag,
  suppress,
  pause,
  simulate,
  send,
]
