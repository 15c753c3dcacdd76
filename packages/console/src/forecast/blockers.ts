import type { Blocker, Campaign, PreflightWarning } from '@overture/sdk'
import { ApiError } from '@overture/sdk'
import type { Paths } from '../paths.ts'

/** The page where a blocker can be fixed. */
export function cureOf(blocker: Blocker, campaign: Campaign, paths: Paths): string {
  switch (blocker.code) {
    case 'no_steps':
    case 'preset_missing':
      return paths.campaign(campaign.id, 'steps')
    case 'no_sending_accounts':
      return paths.campaign(campaign.id, 'senders')
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

/** The page where a warning can be checked, or null if nothing can be done about it. */
export function placeOf({ code, ref }: PreflightWarning, campaign: Campaign, paths: Paths): string | null {
  switch (code) {
    // The leads that lack a value are known once the campaign runs. Before that, the text can be changed to need no value.
    case 'missing_variable':
    case 'other_spelling':
      return paths.campaign(campaign.id, 'steps')
    case 'sender_not_healthy':
    case 'authentication':
    case 'replies_not_read':
    case 'password_login_ends':
    case 'onmicrosoft_domain':
    case 'client_secret_expires':
    case 'client_secret_refused':
    case 'login_unencrypted':
      return ref === null ? paths.senders : paths.sender(ref)
    case 'overlap':
      return ref === null ? null : paths.campaign(ref)
    case 'opt_out_header_only':
      return paths.campaign(campaign.id, 'settings')
    case 'step_never_reached':
      return paths.campaign(campaign.id, 'schedule')
    case 'contact_policy':
      return paths.settings('contacts')
    default:
      return null
  }
}

export function blockersIn(error: unknown): Blocker[] {
  return ApiError.is(error, 'CONFLICT') ? (error.details.blockers ?? []) : []
}
