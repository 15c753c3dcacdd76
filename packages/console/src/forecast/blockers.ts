import type { Account, Blocker, Campaign, SendingAccount } from '@overture/sdk'
import { ApiError } from '@overture/sdk'
import type { Paths } from '../paths.ts'

/** Where what is in the way can be mended. */
export function cureOf(blocker: Blocker, campaign: Campaign, paths: Paths): string {
  switch (blocker.code) {
    case 'no_steps':
    case 'preset_missing':
      return paths.campaign(campaign.id, 'steps')
    case 'no_sending_accounts':
    case 'schedule_never_opens':
      return paths.campaign(campaign.id, 'schedule')
    case 'sending_account_unavailable':
      return blocker.ref === null ? paths.senders : paths.sender(blocker.ref)
    case 'insufficient_credits':
      return paths.settings('billing')
    default:
      return paths.settings()
  }
}

export interface Circumstances {
  campaign: Campaign
  senders: readonly SendingAccount[]
  account: Account | undefined
  words: Readonly<Record<'noSteps' | 'noSenders' | 'senderDown' | 'noAddress', string>>
}

/** What can be seen to be in the way before one asks; the server names all of it when one does. */
export function foreseenBlockers({ campaign, senders, account, words }: Circumstances): Blocker[] {
  const chosen = senders.filter(({ id }) => campaign.sendingAccountIds.includes(id))
  const down = chosen.filter(({ status }) => status !== 'active')
  return [
    ...(campaign.steps.length === 0 ? [{ code: 'no_steps', message: words.noSteps, ref: null }] : []),
    ...(campaign.sendingAccountIds.length === 0
      ? [{ code: 'no_sending_accounts', message: words.noSenders, ref: null }]
      : []),
    ...(chosen.length > 0 && down.length === chosen.length
      ? down.map(({ id, email }) => ({
          code: 'sending_account_unavailable',
          message: `${email} ${words.senderDown}`,
          ref: id,
        }))
      : []),
    ...(account?.environment === 'live' && account.postalAddress === null
      ? [{ code: 'missing_postal_address', message: words.noAddress, ref: null }]
      : []),
  ]
}

export function blockersIn(error: unknown): Blocker[] {
  return ApiError.is(error, 'CONFLICT') ? (error.details.blockers ?? []) : []
}
