import { escapeHtml } from '@overture/ground/text/text-html.ts'
import { styles, zoneScript } from './booking-style.ts'
import { utcOffset, formatTime } from '@overture/mail-reading/calendars/invitation.ts'
import type { PageWords } from './booking-words.ts'

interface BookingPage {
  words: PageWords
  title: string
  /** Person, company or both. */
  host: string | null
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
  const { say, when } = page.words
  const now = page.moving && say('now', { when: when(page.moving.startAt, page.timezone) })
  const length = say('minutes', { count: String(page.durationMinutes) })
  const host = page.host === null ? '' : ` ${say('host', { name: page.host })}`
  const body = `<h1>${escapeHtml(page.title)}</h1><p class="soft">${escapeHtml(length + host)}</p>
${now ? `<p class="soft">${escapeHtml(now)}</p>` : ''}
${page.error ? `<p class="error" role="alert" tabindex="-1" autofocus>${escapeHtml(page.error)}</p>` : ''}
<form method="get" class="row"><label>${say('zone')}<select name="timezone">${zoneOptions(page)}</select></label>
${page.asksWho ? '' : hidden('change', '1')}<button class="quiet">${say('changeZone')}</button></form>
${page.slots.length === 0 ? `<p>${say('noTimes')}</p>` : slotForm(page)}
${page.moving ? cancelForm(page.words) : ''}`
  const title = page.error ? say('error', { title: page.title }) : page.title
  return document(page.words, title, { body, script: page.zoneIsAssumed ? `<script>${zoneScript}</script>` : '' })
}

interface ConfirmationPage {
  words: PageWords
  title: string
  /** Person, company or both. */
  host: string | null
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
  const { say, when } = page.words
  const heading = say(page.status === 'canceled' ? 'canceled' : page.open ? 'booked' : 'over')
  const join = page.joinUrl ? `<p><a href="${escapeHtml(page.joinUrl)}" rel="noreferrer">${say('join')}</a></p>` : ''
  const mailed = page.open && page.invited ? `<p class="soft">${say('invited')}</p>` : ''
  const host = page.host === null ? '' : `<p class="soft">${escapeHtml(say('host', { name: page.host }))}</p>`
  const actions = page.open
    ? `<form method="get" class="row">${hidden('change', '1')}${hidden('timezone', page.timezone)}
<a class="button" href="?calendar=1">${say('calendar')}</a> <button class="quiet">${say('change')}</button></form>`
    : ''
  const startAt = escapeHtml(when(page.startAt, page.timezone))
  const card = `<p><strong>${escapeHtml(page.title)}</strong></p><p>${startAt}</p>${host}${join}`
  return document(page.words, heading, {
    body: `<h1>${heading}</h1><div class="card">${card}</div>${mailed}${actions}`,
  })
}

/** The page behind the link in a mail. Opening it books nothing, since mail programs follow links. */
export function askingPage(words: PageWords, page: { title: string; startAt: Date; timezone: string }): string {
  const { say } = words
  const when = escapeHtml(words.when(page.startAt, page.timezone))
  const zone = hidden('timezone', page.timezone)
  const body = `<h1>${say('ask')}</h1><div class="card"><p><strong>${escapeHtml(page.title)}</strong></p><p>${when}</p></div>
<form method="post"><p>${zone}<button name="action" value="book">${say('book')}</button></p></form>
<form method="get"><p>${hidden('change', '1')}${zone}<button class="quiet">${say('otherTime')}</button></p></form>`
  return document(words, say('ask'), { body })
}

export function messagePage(words: PageWords, title: string, text: string): string {
  return document(words, title, { body: `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>` })
}

function slotForm(page: BookingPage): string {
  const days = new Map<string, Date[]>()
  const { say } = page.words
  for (const slot of page.slots.slice(0, slotsShownMax)) {
    const day = page.words.day(slot, page.timezone)
    days.set(day, [...(days.get(day) ?? []), slot])
  }
  const groups = [...days]
    .slice(0, page.daysShown)
    .map(([day, slots], index) => dayGroup({ day, slots, open: index < daysOpenMax }, page))
    .join('\n')
  const identity = page.asksWho ? `<h2>${say('details')}</h2>${identityFields(page)}` : ''
  return `<form method="post">${hidden('timezone', page.timezone)}${hidden('days', String(page.daysShown))}
<h2>${say('chooseTime')}</h2>${groups}${days.size > page.daysShown ? laterLink(page) : ''}
${identity}<p><button name="action" value="book">${say(page.moving ? 'move' : 'book')}</button></p></form>`
}

function laterLink(page: BookingPage): string {
  const query = new URLSearchParams({ timezone: page.timezone, days: String(page.daysShown * 2) })
  if (!page.asksWho) query.set('change', '1')
  return `<p><a class="button quiet" href="?${escapeHtml(query.toString())}">${page.words.say('later')}</a></p>`
}

function dayGroup(
  { day, slots, open }: { day: string; slots: readonly Date[]; open: boolean },
  { timezone, words }: Pick<BookingPage, 'timezone' | 'words'>,
) {
  const times = slots.map((slot) => formatTime(slot, timezone))
  // In the hour that occurs twice when the clocks go back, the offset distinguishes the two times.
  const labels = slots.map((slot, index) =>
    times.indexOf(times[index]!) === times.lastIndexOf(times[index]!)
      ? times[index]!
      : `${times[index]!} ${utcOffset(slot, timezone)}`,
  )
  const choices = slots.map(
    (slot, index) =>
      `<label><input type="radio" name="startAt" value="${slot.toISOString()}" required> ${labels[index]!}</label>`,
  )
  const count = slots.length === 1 ? words.say('oneTime') : words.say('times', { count: String(slots.length) })
  const name = escapeHtml(day)
  return `<details${open ? ' open' : ''}><summary><b>${name}</b><span>${count}</span></summary>
<fieldset><legend>${name}</legend><div class="slots">${choices.join('')}</div></fieldset></details>`
}

function identityFields(page: BookingPage): string {
  const [name, email] = [escapeHtml(page.name ?? ''), escapeHtml(page.email ?? '')]
  return `<label class="field">${page.words.say('name')}
<input type="text" name="name" autocomplete="name" required maxlength="200" value="${name}"></label>
<label class="field">${page.words.say('email')}
<input type="email" name="email" autocomplete="email" required maxlength="254" value="${email}"></label>`
}

function hidden(name: string, value: string): string {
  return `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`
}

function cancelForm({ say }: PageWords): string {
  return `<form method="post"><p><button class="quiet" name="action" value="cancel">${say('cancel')}</button></p></form>`
}

function zoneOptions(page: BookingPage): string {
  const names = page.timezones.includes(page.timezone) ? page.timezones : [page.timezone, ...page.timezones]
  return names
    .map((name) => `<option${name === page.timezone ? ' selected' : ''}>${escapeHtml(name)}</option>`)
    .join('')
}

function document(
  { language }: PageWords,
  title: string,
  { body, script = '' }: { body: string; script?: string },
): string {
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title><style>${styles}</style></head><body><main>${body}</main>${script}</body></html>`
}
