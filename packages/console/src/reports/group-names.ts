import type { Campaign, SendingAccount } from '@overture/sdk'
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
  return new Map([
    ...senders.map(({ id, email }) => [id, email] as const),
    ...campaigns.flatMap((campaign) => {
      const name = distinctName(campaign, campaigns, zone)
      return [[campaign.id, name] as const, ...campaign.steps.flatMap((step) => stepNames(name, step))]
    }),
  ])
}

function stepNames(campaign: string, { id, position, variants }: NamedCampaign['steps'][number]) {
  const name = text.stepOf(campaign, String(position))
  return [[id, name] as const, ...variants.map((one) => [one.id, text.variantOf(name, one.label)] as const)]
}

/** Equal names are marked with the day of the start, or with the id if that is equal too. The mail does the same. */
function distinctName(campaign: NamedCampaign, all: readonly NamedCampaign[], zone: string): string {
  const same = all.filter(({ name }) => name === campaign.name)
  if (same.length === 1) return campaign.name
  const marked = datedName(campaign, zone)
  const isShared = same.filter((one) => datedName(one, zone) === marked).length > 1
  return isShared ? text.withId(campaign.name, campaign.id) : marked
}

function datedName({ name, launchedAt, createdAt }: NamedCampaign, zone: string): string {
  const day = localDay(launchedAt ?? createdAt, zone)
  const dayText = datesText(day, day)
  return launchedAt === null ? text.createdOn(name, dayText) : text.startedOn(name, dayText)
}
