import { z } from 'zod'
import { email, timezone as zone } from '@overture/contract/common.ts'
import type { Confirmation } from '../notices/tokens.ts'

export interface AskedBooking {
  startAt: Date
  name: string | null
  email: string
  timezone: string
}

type FormProblem = 'needTime' | 'needEmail' | 'needName'

const bookingForm = z.object({
  startAt: z.iso.datetime(),
  timezone: zone.catch('UTC'),
  name: z
    .string()
    .transform((text) => text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim())
    .pipe(z.string().min(1).max(200)),
  email,
})
const movingForm = bookingForm.pick({ startAt: true, timezone: true })

/** The request in the form, or the key of a text about what it lacks. */
export function readForm(
  form: Record<string, unknown>,
  visit: { meeting: object | null; confirmation: Confirmation | null },
): AskedBooking | FormProblem {
  if (visit.meeting) {
    const moved = movingForm.safeParse(form)
    return moved.success ? { ...moved.data, startAt: new Date(moved.data.startAt), name: null, email: '' } : 'needTime'
  }
  const { confirmation } = visit
  if (confirmation) {
    const chosen = movingForm.safeParse({ startAt: confirmation.startAt.toISOString(), ...form })
    if (!chosen.success) return 'needTime'
    const { email: address, name, timezone } = confirmation
    return {
      startAt: new Date(chosen.data.startAt),
      timezone: form.timezone ? chosen.data.timezone : timezone,
      email: address,
      name,
    }
  }
  const read = bookingForm.safeParse(form)
  if (read.success) return { ...read.data, startAt: new Date(read.data.startAt) }
  const field = read.error.issues[0]?.path[0]
  if (field === 'startAt') return 'needTime'
  return field === 'email' ? 'needEmail' : 'needName'
}
