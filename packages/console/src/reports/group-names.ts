import type { Campaign, SendingAccount } from '@overture/sdk'
import { findDistinctions } from '@overture/ground/text/distinct-names.ts'
import { datesText, localDay } from '../platform/time/format.ts'
import { text } from './reports.messages.ts'

/** The names of campaigns, senders, steps and variants by their ids. Null while they are read. */
export type GroupNames = ReadonlyMap<string, string> | null

type NamedCampaign = Pick<Campaign, 'id' | 'name' | 'createdAt' | 'launchedAt'> & {
  steps: readonly {
    id: string
    position: number
    variants: readonly { id: string; label: string }[]
  }[]
}

interface GroupLists {
  campaigns: readonly NamedCampaign[]
  senders: readonly Pick<SendingAccount, 'id' | 'email'>[]
  /** The zone of the days that tell campaigns with the same name apart. */
  zone: string
}

export function nameGroups({ campaigns, senders, zone }: GroupLists): ReadonlyMap<string, string> {
  // Equal names are told apart as in the mail.
  const distinctions = findDistinctions(
    campaigns.map((campaign) => ({ id: campaign.id, name: campaign.name, day: datedName(campaign, zone) })),
  )
  const distinctName = (campaign: NamedCampaign): string => {
    const by = distinctions.get(campaign.id)
    if (by === 'name') return campaign.name
    return by === 'day' ? datedName(campaign, zone) : text.withId(campaign.name, campaign.id)
  }
  return new Map([
    ...senders.map(({ id, email }) => [id, email] as const),
    ...campaigns.flatMap((campaign) => {
      const name = distinctName(campaign)
      return [[campaign.id, name] as const, ...campaign.steps.flatMap((step) => stepNames(name, step))]
    }),
  ])
}

function stepNames(campaign: string, { id, position, variants }: NamedCampaign['steps'][number]) {
  const name = text.stepOf(campaign, String(position))
  return [[id, name] as const, ...variants.map((one) => [one.id, text.variantOf(name, one.label)] as const)]
}

function datedName({ name, launchedAt, createdAt }: NamedCampaign, zone: string): string {
  const day = localDay(launchedAt ?? createdAt, zone)
  const dayText = datesText(day, day)
  return launchedAt === null ? text.createdOn(name, dayText) : text.startedOn(name, dayText)
}
