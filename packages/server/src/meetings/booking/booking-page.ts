import { escapeHtml } from '@overture/ground/text/text-html.ts'
import { styles, zoneScript } from './booking-style.ts'
import { offsetOf, timeOf, whenOf } from '@overture/mail-reading/calendars/invitation.ts'

interface BookingPage {
  title: string
  hostName: string | null
  durationMinutes: number
  /** The visitor's zone and the available zones. */
  timezone: string
  timezones: readonly string[]
  slots: readonly Date[]
  /** The number of days shown at first; a link shows more. */
  daysShown: number
  /** Values for the fields; null if the visitor has to fill them in. */
  name: string | null
  email: string | null
  error: string | null
  /** Whether the page asks for name and address. */
  asksWho: boolean
  /** The meeting that is being rescheduled, if any. */
  moving: { startAt: Date } | null
  /** Whether the zone is only a default that the browser's zone may replace. */
  zoneIsAssumed: boolean
}

const slotsShownMax = 400
/** The number of days that are unfolded. The others only show their number of free times. */
const daysOpenMax = 2
/** The booking form. It works without JavaScript: the zone is a form, and the times are radio buttons grouped by day. */
export function bookingPage(page: BookingPage): string {
  const moving = page.moving ? `<p class="soft">Now: ${escapeHtml(whenOf(page.moving.startAt, page.timezone))}</p>` : ''
  const host = page.hostName ? ` with ${escapeHtml(page.hostName)}` : ''
  const body = `<h1>${escapeHtml(page.title)}</h1><p class="soft">${page.durationMinutes} minutes${host}</p>${moving}
${page.error ? `<p class="error" role="alert" tabindex="-1" autofocus>${escapeHtml(page.error)}</p>` : ''}
<form method="get" class="row"><label>Times are shown in<select name="timezone">${zoneOptions(page)}</select></label>
${page.asksWho ? '' : hidden('change', '1')}<button class="quiet">Change zone</button></form>
${page.slots.length === 0 ? '<p>There are no free times in the next weeks. Please try again later.</p>' : slotForm(page)}
${page.moving ? cancelForm() : ''}`
  const title = page.error ? `Error: ${page.title}` : page.title
  return document(title, body, page.zoneIsAssumed ? `<script>${zoneScript}</script>` : '')
}

interface ConfirmationPage {
  title: string
  startAt: Date
  timezone: string
  joinUrl: string | null
  /** For example booked, rescheduled or canceled. */
  status: string
  /** Whether the meeting can still be rescheduled or canceled. */
  open: boolean
  /** Whether an invitation was mailed. */
  invited: boolean
}

export function confirmationPage(page: ConfirmationPage): string {
  const heading =
    page.status === 'canceled' ? 'This meeting was canceled' : page.open ? 'You are booked' : 'This meeting is over'
  const join = page.joinUrl ? `<p><a href="${escapeHtml(page.joinUrl)}" rel="noreferrer">Join the call</a></p>` : ''
  const mailed = page.open && page.invited ? '<p class="soft">We are sending you an invitation by email.</p>' : ''
  const change = page.open
    ? `<form method="get">${hidden('change', '1')}${hidden('timezone', page.timezone)}
<p><button class="quiet">Move or cancel</button></p></form>`
    : ''
  const when = escapeHtml(whenOf(page.startAt, page.timezone))
  const card = `<p><strong>${escapeHtml(page.title)}</strong></p><p>${when}</p>${join}`
  const body = `<h1>${heading}</h1><div class="card">${card}</div>${mailed}${change}`
  return document(heading, body, '')
}

export const tooManyTexts = {
  address: 'This address already has three upcoming meetings. Please move or cancel one of them first.',
  hour: 'Many meetings were requested within the last hour. Please try again a little later.',
  moves: 'This meeting was already moved three times. Please reply to the invitation to agree on another time.',
  notices: 'Too many emails were sent to this address today. Please try again tomorrow.',
  confirmations: 'Several emails were sent to this address today. Please open the link in one of them.',
}

export function oneMoreStep(address: string): string {
  return (
    `We are sending an email to ${address}. Please open its link within a day to book the time, if it is still ` +
    'free. If no email arrives within a few minutes, this address can’t get emails from us.'
  )
}

/** The page behind the link in a mail. Opening it books nothing, since mail programs follow links. */
export function askingPage(page: { title: string; startAt: Date; timezone: string }): string {
  const when = escapeHtml(whenOf(page.startAt, page.timezone))
  const zone = `<input type="hidden" name="timezone" value="${escapeHtml(page.timezone)}">`
  const body = `<h1>Book this time?</h1><div class="card"><p><strong>${escapeHtml(page.title)}</strong></p><p>${when}</p></div>
<form method="post"><p>${zone}<button name="action" value="book">Book this time</button></p></form>
<form method="get"><p><input type="hidden" name="change" value="1">${zone}<button class="quiet">Choose another time</button></p></form>`
  return document('Book this time?', body, '')
}

export function messagePage(title: string, text: string): string {
  return document(title, `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>`, '')
}

function slotForm(page: BookingPage): string {
  const days = new Map<string, Date[]>()
  const dayName = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: page.timezone })
  for (const slot of page.slots.slice(0, slotsShownMax)) {
    const day = dayName.format(slot)
    days.set(day, [...(days.get(day) ?? []), slot])
  }
  const groups = [...days]
    .slice(0, page.daysShown)
    .map(([day, slots], index) => dayGroup({ day, slots, open: index < daysOpenMax }, page.timezone))
    .join('\n')
  const identity = page.asksWho ? `<h2>Your details</h2>${identityFields(page)}` : ''
  return `<form method="post">${hidden('timezone', page.timezone)}${hidden('days', String(page.daysShown))}
<h2>Choose a time</h2>${groups}${days.size > page.daysShown ? laterLink(page) : ''}
${identity}<p><button name="action" value="book">${page.moving ? 'Move the meeting' : 'Book this time'}</button></p></form>`
}

function laterLink(page: BookingPage): string {
  const query = new URLSearchParams({ timezone: page.timezone, days: String(page.daysShown * 2) })
  if (!page.asksWho) query.set('change', '1')
  return `<p><a class="button quiet" href="?${escapeHtml(query.toString())}">Show later days</a></p>`
}

function dayGroup({ day, slots, open }: { day: string; slots: readonly Date[]; open: boolean }, timezone: string) {
  const times = slots.map((slot) => timeOf(slot, timezone))
  // In the hour that occurs twice when the clocks go back, the offset distinguishes the two times.
  const labels = slots.map((slot, index) =>
    times.indexOf(times[index]!) === times.lastIndexOf(times[index]!)
      ? times[index]!
      : `${times[index]!} ${offsetOf(slot, timezone)}`,
  )
  const choices = slots.map(
    (slot, index) =>
      `<label><input type="radio" name="startAt" value="${slot.toISOString()}" required> ${labels[index]!}</label>`,
  )
  const count = slots.length === 1 ? '1 time' : `${slots.length} times`
  const name = escapeHtml(day)
  return `<details${open ? ' open' : ''}><summary><b>${name}</b><span>${count}</span></summary>
<fieldset><legend>${name}</legend><div class="slots">${choices.join('')}</div></fieldset></details>`
}

function identityFields(page: BookingPage): string {
  const [name, email] = [escapeHtml(page.name ?? ''), escapeHtml(page.email ?? '')]
  return `<label class="field">Your name
<input type="text" name="name" autocomplete="name" required maxlength="200" value="${name}"></label>
<label class="field">Your e-mail address
<input type="email" name="email" autocomplete="email" required maxlength="254" value="${email}"></label>`
}

function hidden(name: string, value: string): string {
  return `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`
}

function cancelForm(): string {
  return '<form method="post"><p><button class="quiet" name="action" value="cancel">Cancel the meeting</button></p></form>'
}

function zoneOptions(page: BookingPage): string {
  const names = page.timezones.includes(page.timezone) ? page.timezones : [page.timezone, ...page.timezones]
  return names
    .map((name) => `<option${name === page.timezone ? ' selected' : ''}>${escapeHtml(name)}</option>`)
    .join('')
}

function document(title: string, body: string, script: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title><style>${styles}</style></head><body><main>${body}</main>${script}</body></html>`
}
