import type { CampaignStatus } from '@overture/sdk'
import { Badge, type Tone } from '../platform/ui/index.ts'
import { text } from './campaigns.messages.ts'

const tones: Readonly<Record<CampaignStatus, Tone>> = {
  draft: 'soft',
  scheduled: 'accent',
  active: 'good',
  paused: 'warn',
  completed: 'violet',
}

export function CampaignStatusBadge({ status }: { status: CampaignStatus }) {
  return <Badge tone={tones[status]}>{text.statuses[status]}</Badge>
}
