import type { Campaign } from '@overture/sdk'
import { useState } from 'react'
import { useCampaigns } from '../../campaigns/index.ts'
import { SelectField } from '../../platform/form/index.ts'
import { text } from './add-person.messages.ts'

export interface CampaignChoice {
  /** The first campaign until the user chooses another. Undefined: there is none. */
  campaign: Campaign | undefined
  campaigns: readonly Campaign[]
  choose: (id: string) => void
  /** Why nothing can be added. Null: there is a campaign. */
  reason: string | null
}

export function useCampaignChoice(): CampaignChoice {
  const campaigns = useCampaigns().data?.results ?? []
  const [chosen, choose] = useState('')
  const campaign = campaigns.find(({ id }) => id === chosen) ?? campaigns[0]
  return { campaign, campaigns, choose, reason: campaign === undefined ? text.noCampaigns : null }
}

export function CampaignSelect({ choice, changed }: { choice: CampaignChoice; changed?: () => void }) {
  return (
    <SelectField
      label={text.campaign}
      value={choice.campaign?.id ?? ''}
      change={(id) => {
        changed?.()
        choice.choose(id)
      }}
      choices={choice.campaigns.map(({ id, name }) => ({ value: id, label: name }))}
    />
  )
}
