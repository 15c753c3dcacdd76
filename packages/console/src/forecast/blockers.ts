import type { Blocker, Campaign, PreflightWarning } from '@overture/sdk'
import { ApiError } from '@overture/sdk'
import type { Paths } from '../paths.ts'
import { text } from './forecast.messages.ts'

/** The page where a blocker can be fixed. Null if it can't be fixed in the console. */
export function pageToFix(blocker: Blocker, campaign: Campaign, paths: Paths): string | null {
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
    case 'missing_postal_address':
      return paths.postalAddress
    case 'public_url_unreachable':
      return null
    case 'condition_unreachable':
      return paths.campaign(campaign.id, blocker.ref === null ? 'settings' : 'steps')
    case 'target_not_ready':
      return blocker.ref === null ? paths.campaigns : paths.campaign(blocker.ref)
    default:
      return paths.settings()
  }
}

/** The names that a blocker needs besides its own fields. */
interface KnownNames {
  senders: readonly { id: string; email: string; status: string }[]
  campaigns: readonly { id: string; name: string }[]
}

/** A blocker as a sentence for its reader. A blocker newer than this page is shown in the API's words. */
export function blockerText({ code, ref, message }: Blocker, { senders, campaigns }: KnownNames): string {
  switch (code) {
    case 'sending_account_unavailable': {
      const sender = senders.find(({ id }) => id === ref)
      if (sender === undefined) return text.blockedBy.senderDeleted
      const why = (text.senderStates as Readonly<Record<string, string>>)[sender.status]
      return text.blockedBy.sender(sender.email, why ?? sender.status)
    }
    case 'target_not_ready':
      return text.blockedBy.target(campaigns.find(({ id }) => id === ref)?.name ?? null)
    // The API adds the name of the setting for developers.
    case 'condition_unreachable':
      return message.replace(/ \(\w+\)\.$/, '.')
    default:
      return (text.blockedSentences as Readonly<Record<string, string>>)[code] ?? message
  }
}

export interface Cure {
  to: string
  label: string
}

/** The page where a warning can be checked or fixed, and the label of its button. */
export function warningCure({ code, ref }: PreflightWarning, campaign: Campaign, paths: Paths): Cure {
  const labels = text.warningCures as Readonly<Record<string, string>>
  return { to: warningPage(code, ref, { campaign, paths }), label: labels[code] ?? text.look }
}

function warningPage(
  code: PreflightWarning['code'],
  ref: string | null,
  { campaign, paths }: { campaign: Campaign; paths: Paths },
): string {
  switch (code) {
    // The leads that lack a value are known once the campaign runs. Before that, the text can be changed to need no value.
    case 'missing_variable':
    case 'unknown_variable':
    case 'other_spelling':
    case 'task_without_assignee':
    case 'task_without_phone':
    case 'task_never_expires':
      return paths.campaign(campaign.id, 'steps')
    case 'overlap':
      return ref === null ? paths.campaigns : paths.campaign(ref)
    case 'opt_out_header_only':
    case 'tracking_consent':
    case 'address_check':
    case 'privacy_notice':
      return paths.campaign(campaign.id, 'settings')
    case 'step_never_reached':
      return paths.campaign(campaign.id, 'schedule')
    case 'contact_policy':
      return paths.settings('contacts')
    case 'sender_not_healthy':
    case 'authentication':
    case 'replies_not_read':
    case 'password_login_ends':
    case 'onmicrosoft_domain':
    case 'client_secret_expires':
    case 'client_secret_refused':
    case 'login_unencrypted':
      return ref === null ? paths.senders : paths.sender(ref)
    // A warning newer than this page.
    default:
      return paths.campaign(campaign.id, 'settings')
  }
}

/**
 * Returns the warnings without those that another warning explains. A name that no lead has is also missing for every lead, so the second
 * warning is left out.
 */
export function shownWarnings(warnings: readonly PreflightWarning[]): PreflightWarning[] {
  const unknown = new Set(warnings.flatMap(({ code, ref }) => (code === 'unknown_variable' ? [ref] : [])))
  return warnings.filter(({ code, ref }) => code !== 'missing_variable' || !unknown.has(ref))
}

export function blockersIn(error: unknown): Blocker[] {
  return ApiError.is(error, 'CONFLICT') ? (error.details.blockers ?? []) : []
}
