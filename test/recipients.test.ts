import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contactedWorld, type Contacted, type ContactedWorld } from '@overture/testing/server/contacted.ts'
import { startMailWorld, type MailWorld } from '@overture/testing/server/mail-world.ts'

const dayMs = 86_400_000
let world: MailWorld
let { contacted, suppress, reply, answer, acceptedBy } = {} as ContactedWorld
beforeAll(async () => {
  world = await startMailWorld()
  ;({ contacted, suppress, reply, answer, acceptedBy } = contactedWorld(world))
})
afterAll(() => world.stop())

/** Opts out by the one-click link of a message (RFC 8058). Returns the status of the request. */
async function optOutBy(raw: Buffer): Promise<number> {
  const link = /<(http[^>]+\/u\/[^>]+)>/.exec(raw.toString().replaceAll(/\r\n[ \t]/g, ' '))?.[1]
  const optOut = await world.server.call('POST', new URL(link!).pathname, {
    body: 'List-Unsubscribe=One-Click',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  return optOut.status
}

/** Sets the daily cap of a mailbox. */
const limitToday = (senderId: string, dailyLimit: number) =>
  world.server.app.db.execute(`update sending_accounts set daily_limit = $2 where id = $1`, [senderId, dailyLimit])

/** Queues messages of a person, which are due now. */
async function queueManual(of: Contacted, { count, to, queuedAt }: { count: number; to: string[]; queuedAt: Date }) {
  const { app, tenant } = world.server
  await app.db.execute(
    `with heads as (
       insert into message_heads (account_id, environment, id, sending_account_id, direction, kind, status, queued_at, attempt_at,
         to_addresses)
       select $1, $2, $3 || n, $3, 'outbound', 'manual', 'queued', $4, $5, $6 from generate_series(1, $7::int) n returning *)
     insert into message_contents (account_id, environment, message_id, text)
     select account_id, environment, id, 'Hello.' from heads`,
    [
      tenant.accountId,
      tenant.environment,
      of.senderId,
      queuedAt,
      app.clock.now(),
      JSON.stringify(to.map((email) => ({ email, name: null }))),
      count,
    ],
  )
}

describe('a suppressed address', () => {
  test.each([
    'ADA@spelled.test.',
    '"ada"@spelled.test',
    '"a\\da"@spelled.test',
    'ada(sales)@spelled.test',
    '@relay.test:ada@spelled.test',
    'bob@other.test,ada@spelled.test',
    'a\u00adda@spelled.test',
    'ａda@spelled.test',
    'ada@spelled。test',
  ])('gets no reply to a mail from <%s>', async (spelling) => {
    const of = await contacted()
    await suppress('ada@spelled.test')
    await world.receiveAnswer({ from: spelling, to: of.messageId, senderId: of.senderId })
    let status = 0
    const sent = await acceptedBy(async () => ({ status } = await reply(of)))
    expect([status, sent]).toEqual([202, []])
  })

  test('gets no follow-up to a lead that never wrote', async () => {
    const of = await contacted()
    await suppress(of.email)
    expect(await acceptedBy(() => reply(of))).toEqual([])
    const { messages } = (await world.live('GET', `/v2/campaigns/${of.campaignId}/leads/${of.leadId}/thread`)).body
    expect(messages.at(-1)).toMatchObject({
      status: 'failed',
      refusedRecipients: [{ email: of.email, code: null, reason: 'The address is suppressed.' }],
    })
  })

  test('gets a reply if the person wrote after the suppression, and not before', async () => {
    const of = await contacted()
    await answer(of)
    await suppress(of.email)
    expect(await acceptedBy(() => reply(of))).toEqual([])
    await answer(of)
    expect((await acceptedBy(() => reply(of))).map(({ to }) => to)).toEqual([[of.email]])
  })

  test('gets no reply after a mail without proof in the name of the person', async () => {
    const of = await contacted()
    await answer(of)
    await suppress(of.email)
    await answer({ ...of, messageId: '<unknown@acme.test>' })
    expect(await acceptedBy(() => reply(of))).toEqual([])
    await answer(of)
    expect(await acceptedBy(() => reply(of))).toHaveLength(1)
  })

  test('gets no reply after a recipient of our message wrote in the name of the person', async () => {
    const of = await contacted()
    await suppress('victim@other.test')
    await answer({ ...of, email: 'victim@other.test' })
    expect(await acceptedBy(() => reply(of))).toEqual([])
  })

  test('closes the gate when it is suppressed while its message is on the way', async () => {
    const of = await contacted()
    await answer(of)
    const copies = ['late@other.test', 'copy@other.test']
    const suppressing = new Promise<void>((resolve) => {
      world.smtp.onStage = (stage) => {
        if (stage !== 'rcpt') return
        world.smtp.onStage = null
        void suppress('late@other.test').then(() => resolve())
      }
    })
    world.smtp.faults = []
    const accepted = await acceptedBy(async () => {
      await reply(of, { cc: copies })
      await Promise.all([world.work(), suppressing])
      await world.work(new Date(world.server.app.clock.now().getTime() + 2 * 60_000))
    })
    // Either the gate closed and the next attempt left the address out, or the message had passed its gate already.
    for (const { to } of accepted) expect(to).toContain(of.email)
    expect(accepted).toHaveLength(1)
  })
})

describe('copies', () => {
  test('are 10 together at most, and the refusal names the field', async () => {
    const of = await contacted()
    const cc = Array.from({ length: 6 }, (_, n) => `cc${n}@other.test`)
    const bcc = Array.from({ length: 5 }, (_, n) => `bcc${n}@other.test`)
    const refused = await reply(of, { cc, bcc })
    expect([refused.status, refused.body.error.details.issues[0].path]).toEqual([400, 'cc'])
    expect((await reply(of, { cc: [...cc, ...bcc] })).status).toBe(400)
  })
})

describe('a reply', () => {
  test('goes to one Reply-To address at most', async () => {
    const of = await contacted()
    await answer(of, ['Reply-To: one@acme.test, two@acme.test, three@acme.test'])
    expect((await acceptedBy(() => reply(of))).map(({ to }) => to)).toEqual([['one@acme.test']])
  })

  test('goes to the address in From if nothing proves who wrote', async () => {
    const of = await contacted()
    await answer({ ...of, messageId: '<unknown@acme.test>' }, ['Reply-To: one@acme.test'])
    expect((await acceptedBy(() => reply(of))).map(({ to }) => to)).toEqual([[of.email]])
  })

  test('has opt-out headers only where the lead never wrote', async () => {
    const of = await contacted()
    const [followUp] = await acceptedBy(() => reply(of))
    await answer(of)
    const [answered] = await acceptedBy(() => reply(of))
    expect(answered!.raw.toString()).not.toContain('List-Unsubscribe')
    expect(await optOutBy(followUp!.raw)).toBe(200)
    const { results } = (await world.live('GET', `/v2/suppressions?q=${of.email}`)).body
    expect(results).toMatchObject([{ email: of.email, source: 'recipient' }])
  })

  test.each([
    ['the address in Reply-To', ['Reply-To: other@acme.test'], {}, 'other@acme.test'],
    ['a copy', [], { cc: ['other@acme.test'] }, 'other@acme.test'],
    ['a blind copy', [], { bcc: ['other@acme.test'] }, 'other@acme.test'],
  ])('is a follow-up for %s that never wrote, which can opt out', async (_name, headers, copies, email) => {
    const of = await contacted()
    await answer(of, headers)
    await limitToday(of.senderId, 1)
    expect(await acceptedBy(() => reply(of, copies))).toEqual([])
    const tomorrow = new Date(world.server.app.clock.now().getTime() + dayMs)
    const [followUp] = await acceptedBy(() => world.work(tomorrow))
    expect(await optOutBy(followUp!.raw)).toBe(200)
    expect((await world.live('GET', `/v2/suppressions?q=${email}`)).body.results).toMatchObject([{ email }])
    expect((await world.live('GET', `/v2/suppressions?q=${of.email}`)).body.results).toEqual([])
    await world.server.app.db.execute(`delete from suppressions where email = $1`, [email])
  })

  describe('in another thread than the one in which the lead wrote', () => {
    const stranger = 'new@other.test'
    /** A lead that answered its first message, and then got the next one in a new thread. */
    async function inTwoThreads() {
      const of = await contacted()
      await world.server.app.db.execute(`update steps set same_thread = false where campaign_id = $1`, [of.campaignId])
      await world.server.app.db.execute(
        `update campaigns set settings = jsonb_set(settings, '{stopOnReply}', 'false') where id = $1`,
        [of.campaignId],
      )
      await answer(of)
      const later = new Date(world.server.app.clock.now().getTime() + 4 * dayMs)
      const second = (await acceptedBy(() => world.work(later))).find(({ to }) => to.includes(of.email))
      const { messages } = (await world.live('GET', `/v2/campaigns/${of.campaignId}/leads/${of.leadId}/thread`)).body
      const id = messages.find((message: { messageId: string }) => message.messageId === second!.messageId).id
      return { of, replyToMessageId: id as string }
    }

    test('has no opt-out link for the lead', async () => {
      const { of, replyToMessageId } = await inTwoThreads()
      const [sent] = await acceptedBy(() => reply(of, { replyToMessageId }))
      expect([sent!.to, sent!.raw.toString().includes('List-Unsubscribe')]).toEqual([[of.email], false])
    })

    test('has the opt-out link of the copy that never wrote', async () => {
      const { of, replyToMessageId } = await inTwoThreads()
      const [sent] = await acceptedBy(() => reply(of, { replyToMessageId, cc: [stranger] }))
      expect(await optOutBy(sent!.raw)).toBe(200)
      const { results } = (await world.live('GET', '/v2/suppressions?source=recipient&limit=100')).body
      const emails = results.map(({ email }: { email: string }) => email)
      expect([emails.includes(stranger), emails.includes(of.email)]).toEqual([true, false])
    })
  })

  test('with a copy to an own mailbox is no follow-up', async () => {
    const [of, other] = [await contacted(), await contacted()]
    await answer(of)
    await limitToday(of.senderId, 1)
    const own = (await world.live('GET', `/v2/sending-accounts/${other.senderId}`)).body.email
    const [sent] = await acceptedBy(() => reply(of, { cc: [own] }))
    expect(sent!.to).toEqual([of.email, own])
    expect(sent!.raw.toString()).not.toContain('List-Unsubscribe')
  })

  test.each([
    ['on the day they were queued', 0],
    ['of messages that waited for a week', 8],
  ])('waits for the next day once a mailbox wrote to 300 recipients %s', async (_name, waitedDays) => {
    const of = await contacted()
    await answer(of)
    const cc = Array.from({ length: 10 }, (_, n) => `cc${n}@other.test`)
    const { app } = world.server
    const queuedAt = new Date(app.clock.now().getTime() - waitedDays * dayMs)
    expect(await acceptedBy(() => queueManual(of, { count: 29, to: cc, queuedAt }))).toHaveLength(29)
    expect(await acceptedBy(() => reply(of, { cc }))).toEqual([])
    const tomorrow = new Date(app.clock.now().getTime() + dayMs)
    expect(await acceptedBy(() => world.work(tomorrow))).toHaveLength(1)
  })
})

describe('an invitation', () => {
  const startAt = new Date(Date.now() + 5 * dayMs).toISOString()
  const endAt = new Date(Date.now() + 5 * dayMs + 1_800_000).toISOString()
  const invite = (attendees: string[]) =>
    world.live('POST', '/v2/meetings', {
      title: 'Talk',
      startAt,
      endAt,
      attendees: attendees.map((email) => ({ email })),
    })

  test('is refused for more than 10 attendees, unless none is mailed', async () => {
    const many = Array.from({ length: 11 }, (_, n) => `guest${n}@other.test`)
    const refused = await invite(many)
    expect([refused.status, refused.body.error.details.issues[0].path]).toEqual([400, 'attendees'])
  })

  test('is one mail for each attendee, with opt-out headers, and none reads the others', async () => {
    await contacted()
    const guests = ['first@other.test', 'second@other.test']
    const mails = await acceptedBy(() => invite(guests))
    expect(mails.map(({ to }) => to.join(' ')).toSorted()).toEqual(guests)
    for (const { raw, to } of mails) {
      const text = raw.toString()
      expect(text).toContain('List-Unsubscribe-Post')
      expect(text).not.toContain(guests.find((guest) => guest !== to[0]))
    }
  })
})

describe('a notice of a lead’s meeting', () => {
  const startAt = Date.now() + 6 * dayMs
  const times = (hour: number) => ({
    startAt: new Date(startAt + hour * 3_600_000).toISOString(),
    endAt: new Date(startAt + hour * 3_600_000 + 1_800_000).toISOString(),
  })
  const isSuppressed = async (email: string) =>
    (await world.live('GET', `/v2/suppressions?q=${email}`)).body.results.length > 0
  const optOutsInNameOf = ({ leadId }: Contacted) =>
    world.server.app.db.query(`select 1 from audit_entries where actor_id = $1 and action = 'recipient.unsubscribe'`, [
      leadId,
    ])

  test.each([
    ['the invitation', () => Promise.resolve()],
    ['a change of its time', (path: string) => world.live('PUT', path, times(2))],
    ['its cancellation', (path: string) => world.live('PUT', path, { status: 'canceled' })],
  ])('has the opt-out link of its recipient alone: %s', async (name, change) => {
    const of = await contacted()
    const guest = of.email.replace(/.*@/, 'guest@')
    const attendees = [{ email: of.email }, { email: guest }]
    let path = ''
    const invite = async () => {
      const made = await world.live('POST', '/v2/meetings', {
        title: 'Talk',
        ...times(0),
        leadId: of.leadId,
        attendees,
      })
      path = `/v2/meetings/${made.body.id}`
    }
    const invitations = await acceptedBy(invite)
    const notices = name === 'the invitation' ? invitations : await acceptedBy(() => change(path))
    expect(notices.map(({ to }) => to.join(' ')).toSorted()).toEqual([guest, of.email].toSorted())
    const noticeTo = (email: string) => notices.find(({ to }) => to.includes(email))!.raw
    expect(await optOutBy(noticeTo(guest))).toBe(200)
    expect([await isSuppressed(guest), await isSuppressed(of.email), await optOutsInNameOf(of)]).toEqual([
      true,
      false,
      [],
    ])
    expect(await optOutBy(noticeTo(of.email))).toBe(200)
    expect([await isSuppressed(of.email), (await optOutsInNameOf(of)).length]).toEqual([true, 1])
  })
})
