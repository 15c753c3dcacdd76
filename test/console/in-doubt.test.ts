import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Campaign, Lead } from '@overture/sdk'
import { makeRunning } from '@overture/testing/console/campaigns.ts'
import { holds } from '@overture/testing/console/holds.ts'
import { describeConsole } from '@overture/testing/console/world.ts'
import { startSmtpDouble, type SmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'

describeConsole(
  'an uncertain message',
  (world) => {
    let smtp: SmtpDouble
    let campaign: Campaign
    const mailboxUser = 'ada@sender.test'
    beforeAll(async () => {
      smtp = await startSmtpDouble({ users: { [mailboxUser]: 'secret' } })
      const { live } = world()
      await live.account.update({ postalAddress: '1 Main Street, Springfield' })
      const sender = await live.sendingAccounts.create({
        email: mailboxUser,
        fromName: 'Ada',
        provider: 'smtp',
        smtp: { host: '127.0.0.1', port: smtp.port, security: 'none', username: mailboxUser, password: 'secret' },
        minGapSeconds: 0,
        maxGapSeconds: 0,
      })
      // The server has received the whole message when the connection breaks, so it is unknown whether it accepted it.
      smtp.faults = [{ stage: 'end', action: 'drop', times: 2 }]
      campaign = await makeRunning(live, {
        name: 'In doubt',
        sendingAccountIds: [sender.id],
        leads: [
          { email: 'left@r.test', firstName: 'Grace' },
          { email: 'stayed@r.test', firstName: 'Joan' },
        ],
      })
      await holds(async () => (await doubts()).length === 2)
    })
    afterAll(() => smtp?.stop())

    const doubts = (): Promise<Lead[]> =>
      world().live.campaigns.leads.list(campaign.id, { blockedReason: 'delivery_uncertain' }).toArray()
    const leadOf = async (email: string): Promise<Lead> =>
      (await world().live.campaigns.leads.list(campaign.id, { email }).toArray())[0]!
    const acceptedFor = (email: string) => smtp.accepted.filter(({ to }) => to.includes(email)).length

    test('is resolved from Home after one confirmation, like over the API', async () => {
      const page = await world().page()
      await page.goto(`${world().url}/app/live`)
      const list = page.getByRole('list', { name: 'Was this message sent?' })
      const row = (email: string) => list.getByRole('listitem').filter({ hasText: email })
      const dialog = page.getByRole('alertdialog')

      await row('left@r.test').getByRole('button', { name: 'It was sent' }).click()
      await dialog.getByText('left@r.test').waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      expect(await doubts()).toHaveLength(2)
      await row('left@r.test').getByRole('button', { name: 'It was sent' }).click()
      await dialog.getByRole('button', { name: 'It was sent' }).click()
      // The page behind a dialog is hidden, so wait until the dialog is closed.
      await dialog.waitFor({ state: 'detached' })
      await row('left@r.test').waitFor({ state: 'detached' })
      expect(await leadOf('left@r.test')).toMatchObject({
        status: 'active',
        currentStep: 1,
        blockedReason: 'wait_not_over',
      })
      expect(acceptedFor('left@r.test')).toBe(0)

      await row('stayed@r.test').getByRole('button', { name: 'It was not sent' }).click()
      await dialog.getByRole('button', { name: 'It was not sent' }).click()
      await dialog.waitFor({ state: 'detached' })
      await list.waitFor({ state: 'detached' })
      await holds(async () => acceptedFor('stayed@r.test') === 1)
      await holds(async () => (await leadOf('stayed@r.test')).currentStep === 1)
    })
  },
  { environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' } },
)
