import { createHash } from 'node:crypto'
import { timeOf, whenOf } from './invitation.ts'

export interface BookingPage {
  title: string
  hostName: string | null
  durationMinutes: number
  /** The visitor's zone, and the ones to choose from. */
  timezone: string
  timezones: readonly string[]
  slots: readonly Date[]
  /** Filled in already; null leaves the field to the visitor. */
  name: string | null
  email: string | null
  error: string | null
  /** The meeting that is being moved, if any. */
  moving: { startAt: Date } | null
  /** Whether the zone was chosen, or only assumed until the browser says better. */
  zoneIsAssumed: boolean
}

const slotsShownMax = 400
const zoneScript = `var z=Intl.DateTimeFormat().resolvedOptions().timeZone,u=new URL(location.href);if(z&&!u.searchParams.has('timezone')){u.searchParams.set('timezone',z);location.replace(u)}`
const styles = `:root{color-scheme:light dark;--line:#8884;--accent:#1d4ed8}*{box-sizing:border-box}body{margin:0;font:16px/1.5 system-ui,sans-serif}
main{max-width:42rem;margin:0 auto;padding:1.25rem}h1{font-size:1.5rem;margin:.5rem 0}fieldset{border:1px solid var(--line);border-radius:.75rem;margin:0 0 1rem;padding:.75rem 1rem}
legend{font-weight:600;padding:0 .4rem}.slots{display:grid;grid-template-columns:repeat(auto-fill,minmax(6rem,1fr));gap:.5rem}
.slots label{display:flex;align-items:center;gap:.5rem;min-height:2.75rem;padding:0 .6rem;border:1px solid var(--line);border-radius:.5rem;cursor:pointer}
.slots label:has(:checked){border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}label.field{display:block;margin:.75rem 0}
input[type=text],input[type=email],select{display:block;width:100%;min-height:2.75rem;padding:.5rem;font:inherit;border:1px solid var(--line);border-radius:.5rem}
button{min-height:2.75rem;padding:0 1.25rem;font:inherit;font-weight:600;border:0;border-radius:.5rem;background:var(--accent);color:#fff;cursor:pointer}
button.quiet{background:none;color:inherit;border:1px solid var(--line)}:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.error{border-left:4px solid #b91c1c;padding:.5rem .75rem;margin:1rem 0}.row{display:flex;gap:.5rem;align-items:end;flex-wrap:wrap;margin-bottom:1.5rem}.row label{flex:1 1 14rem}`

const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Nothing from elsewhere, and no script but the one that tells the zone. */
export const bookingPolicy = `default-src 'none'; style-src ${digest(styles)}; script-src ${digest(zoneScript)}; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`

/** Works without JavaScript: the zone is a form, the times are radio buttons, grouped by day. */
export function bookingPage(page: BookingPage): string {
  const moving = page.moving ? `<p>Now: ${escape(whenOf(page.moving.startAt, page.timezone))}</p>` : ''
  const host = page.hostName ? ` with ${escape(page.hostName)}` : ''
  const body = `<h1>${escape(page.title)}</h1><p>${page.durationMinutes} minutes${host}</p>${moving}
${page.error ? `<p class="error" role="alert">${escape(page.error)}</p>` : ''}
<form method="get" class="row"><label>Times are shown in<select name="timezone">${zoneOptions(page)}</select></label><button class="quiet">Change zone</button></form>
${page.slots.length === 0 ? '<p>There is no free time in the next weeks. Please try again later.</p>' : slotForm(page)}
${page.moving ? cancelForm() : ''}`
  return document(page.title, body, page.zoneIsAssumed ? `<script>${zoneScript}</script>` : '')
}

export interface ConfirmationPage {
  title: string
  startAt: Date
  timezone: string
  joinUrl: string | null
  /** booked, rescheduled, canceled … */
  status: string
  /** Whether it can still be moved or canceled. */
  open: boolean
}

export function confirmationPage(page: ConfirmationPage): string {
  const heading =
    page.status === 'canceled' ? 'This meeting was canceled' : page.open ? 'You are booked' : 'This meeting is over'
  const join = page.joinUrl ? `<p><a href="${escape(page.joinUrl)}" rel="noreferrer">Join the call</a></p>` : ''
  const change = page.open
    ? `<form method="get"><input type="hidden" name="change" value="1"><input type="hidden" name="timezone" value="${escape(page.timezone)}"><p><button class="quiet">Move or cancel</button></p></form>`
    : ''
  const body = `<h1>${heading}</h1><p><strong>${escape(page.title)}</strong><br>${escape(whenOf(page.startAt, page.timezone))}</p>${join}${change}`
  return document(heading, body, '')
}

export function messagePage(title: string, text: string): string {
  return document(title, `<h1>${escape(title)}</h1><p>${escape(text)}</p>`, '')
}

function slotForm(page: BookingPage): string {
  const days = new Map<string, Date[]>()
  const dayName = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: page.timezone })
  for (const slot of page.slots.slice(0, slotsShownMax)) {
    const day = dayName.format(slot)
    days.set(day, [...(days.get(day) ?? []), slot])
  }
  const groups = [...days].map(([day, slots]) => dayGroup(day, slots, page.timezone)).join('\n')
  const identity = page.moving ? '' : identityFields(page)
  return `<form method="post"><input type="hidden" name="timezone" value="${escape(page.timezone)}">
${groups}${identity}<p><button name="action" value="book">${page.moving ? 'Move the meeting' : 'Book this time'}</button></p></form>`
}

function dayGroup(day: string, slots: readonly Date[], timezone: string): string {
  const choices = slots.map(
    (slot) =>
      `<label><input type="radio" name="startAt" value="${slot.toISOString()}" required> ${timeOf(slot, timezone)}</label>`,
  )
  return `<fieldset><legend>${escape(day)}</legend><div class="slots">${choices.join('')}</div></fieldset>`
}

function identityFields(page: BookingPage): string {
  return `<label class="field">Your name<input type="text" name="name" autocomplete="name" required maxlength="200" value="${escape(page.name ?? '')}"></label>
<label class="field">Your e-mail address<input type="email" name="email" autocomplete="email" required maxlength="254" value="${escape(page.email ?? '')}"></label>`
}

function cancelForm(): string {
  return '<form method="post"><p><button class="quiet" name="action" value="cancel">Cancel the meeting</button></p></form>'
}

function zoneOptions(page: BookingPage): string {
  const names = page.timezones.includes(page.timezone) ? page.timezones : [page.timezone, ...page.timezones]
  return names.map((name) => `<option${name === page.timezone ? ' selected' : ''}>${escape(name)}</option>`).join('')
}

function document(title: string, body: string, script: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${escape(title)}</title><style>${styles}</style></head><body><main>${body}</main>${script}</body></html>`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign]!)
}
