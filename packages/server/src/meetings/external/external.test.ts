import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { calComSignatureHolds, calendlySignatureHolds, readCalCom, readCalendly } from './external.ts'

const now = new Date('2027-02-01T08:00:00Z')
const nowS = now.getTime() / 1000
const hmac = (secret: string, ...parts: (string | Buffer)[]) => {
  const digest = createHmac('sha256', secret)
  for (const part of parts) digest.update(part)
  return digest.digest('hex')
}
const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array))

describe('signatures of external calendars', () => {
  test('are valid for the signed bytes only, not for other bytes, keys or times', () => {
    fc.assert(
      fc.property(bytes, bytes, fc.string({ minLength: 1 }), (body, other, secret) => {
        const calCom = hmac(secret, body)
        expect(calComSignatureHolds(body, calCom, secret)).toBe(true)
        expect(calComSignatureHolds(body, `sha256=${calCom}`, secret)).toBe(true)
        expect(calComSignatureHolds(other, calCom, secret)).toBe(body.equals(other))
        expect(calComSignatureHolds(body, calCom, `${secret}x`)).toBe(false)
        const calendly = (timestampS: number) => `t=${timestampS},v1=${hmac(secret, `${timestampS}.`, body)}`
        const key = { secret, now }
        expect(calendlySignatureHolds(body, calendly(nowS), key)).toBe(true)
        expect(calendlySignatureHolds(body, calendly(nowS - 299), key)).toBe(true)
        expect(calendlySignatureHolds(body, calendly(nowS - 301), key)).toBe(false)
        expect(calendlySignatureHolds(body, calendly(nowS + 301), key)).toBe(false)
        expect(calendlySignatureHolds(other, calendly(nowS), key)).toBe(body.equals(other))
        expect(calendlySignatureHolds(body, calendly(nowS).replace(/t=\d+/, `t=${nowS - 1}`), key)).toBe(false)
      }),
    )
  })

  test('are invalid if they have any other form', () => {
    const body = Buffer.from('{}')
    for (const header of [null, '', 'v1=', 't=,v1=', 't=1e9,v1=00', 't=-1,v1=00', `t=${nowS}`, '=,=', 'sha256=']) {
      expect(calComSignatureHolds(body, header, 'secret')).toBe(false)
      expect(calendlySignatureHolds(body, header, { secret: 'secret', now })).toBe(false)
    }
  })
})

describe('events of external calendars', () => {
  const attendees = [{ email: 'Zoe@example.com', noShow: true }]
  const calCom = (triggerEvent: string, payload: object) => readCalCom({ triggerEvent, payload })
  const times = { startTime: '2027-02-09T10:00:00Z', endTime: '2027-02-09T10:30:00Z' }

  test("Cal.com's no-show needs a marked attendee, and an unmarked one is ignored", () => {
    expect(calCom('BOOKING_NO_SHOW_UPDATED', { bookingUid: 'u1', attendees })).toMatchObject({
      kind: 'no_show',
      uid: 'cal_com u1',
    })
    const unmarked = attendees.map((one) => ({ ...one, noShow: false }))
    expect(calCom('BOOKING_NO_SHOW_UPDATED', { bookingUid: 'u1', attendees: unmarked })).toBeNull()
    expect(calCom('BOOKING_REJECTED', { uid: 'u1', ...times, attendees })).toMatchObject({ kind: 'canceled' })
    expect(calCom('MEETING_ENDED', { uid: 'u1', ...times })).toBeNull()
  })

  test("Calendly's no-show is per invitee, and a reschedule counts only its new booking", () => {
    const event = { name: 'Call', start_time: times.startTime, end_time: times.endTime }
    const invitee = 'https://api.calendly.com/i/1'
    expect(readCalendly({ event: 'invitee_no_show.created', payload: { uri: 'no-show/1', invitee } })).toMatchObject({
      kind: 'no_show',
      uid: `calendly ${invitee}`,
    })
    const canceled = { uri: invitee, scheduled_event: event }
    expect(readCalendly({ event: 'invitee.canceled', payload: canceled })).toMatchObject({ kind: 'canceled' })
    expect(readCalendly({ event: 'invitee.canceled', payload: { ...canceled, rescheduled: true } })).toBeNull()
    expect(
      readCalendly({ event: 'invitee.created', payload: { ...canceled, uri: 'new', old_invitee: invitee } }),
    ).toMatchObject({ kind: 'booked', uid: 'calendly new', previousUid: `calendly ${invitee}` })
  })

  test('of any shape never throw', () => {
    fc.assert(
      fc.property(
        fc.anything(),
        fc.constantFrom('BOOKING_CREATED', 'BOOKING_NO_SHOW_UPDATED'),
        (payload, triggerEvent) => {
          readCalCom(payload)
          readCalendly(payload)
          readCalCom({ triggerEvent, payload })
          readCalendly({ event: 'invitee.created', payload })
        },
      ),
    )
  })
})
