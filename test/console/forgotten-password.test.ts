import { afterAll, expect, test } from 'vitest'
import { hasChromium } from '@overture/testing/chromium.ts'
import { owner } from '@overture/testing/console/console.ts'
import { holds } from '@overture/testing/console/holds.ts'
import { describeConsole } from '@overture/testing/console/world.ts'
import { startSmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'

// Starts before the server, since the server's environment contains its address.
const smtp = hasChromium ? await startSmtpDouble({ users: { 'robot@example.com': 'secret' } }) : null
afterAll(() => smtp?.stop())

const environment = { OVERTURE_SYSTEM_MAIL_URL: `smtp://robot%40example.com:secret@127.0.0.1:${smtp?.port ?? 25}` }
const resetNotice = 'If a user with this address has a password, we sent a link. It expires in a day.'
const another = 'four wet pianos argue'

describeConsole(
  'a forgotten password',
  (world) => {
    test('can be reset by an emailed link; an unknown address gets the same page', async () => {
      const { url } = world()
      const page = await world().page({ signedIn: false })
      page.expectProblem(/status of 40[01]/)
      for (const email of ['unknown@example.com', owner.email]) {
        await page.goto(`${url}/app/sign-in`)
        await page.getByRole('link', { name: 'Forgot password?' }).click()
        await page.getByRole('heading', { name: 'Reset your password', level: 1 }).waitFor()
        await page.getByLabel('Email').fill(email)
        await page.getByRole('button', { name: 'Send reset link' }).click()
        await page.getByText(resetNotice).waitFor()
      }
      await holds(async () => smtp!.accepted.length > 0)
      expect(smtp!.accepted.map(({ to }) => to)).toEqual([[owner.email]])
      const mail = smtp!.accepted[0]!.raw.toString().replaceAll('=\r\n', '').replaceAll('=3D', '=')
      const link = /https?:\/\/\S+\/app\/password#[\w-]{43}/.exec(mail)![0]

      await page.goto(link)
      await page.getByRole('heading', { name: 'Choose a new password', level: 1 }).waitFor()
      const field = page.getByLabel('New password')
      await field.fill('password1234')
      await page.getByRole('button', { name: 'Save password' }).click()
      await page.getByText('This password is easy to guess.').first().waitFor()
      expect(await field.getAttribute('aria-invalid')).toBe('true')
      await field.fill(another)
      await page.getByRole('button', { name: 'Save password' }).click()
      await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
      const login = (password: string) =>
        page.request.post(`${url}/v2/auth/login`, { data: { email: owner.email, password }, headers: { origin: url } })
      expect([(await login(owner.password)).status(), (await login(another)).status()]).toEqual([401, 200])

      const later = await world().page({ signedIn: false })
      later.expectProblem(/status of 401/)
      await later.goto(link)
      await later.getByLabel('New password').fill('nine quiet lanterns drift')
      await later.getByRole('button', { name: 'Save password' }).click()
      await later.getByText('The link is unknown, already used or expired. Ask for a new one.').waitFor()
    })

    test('without a link the page says that one is needed', async () => {
      const page = await world().page({ signedIn: false })
      await page.goto(`${world().url}/app/password`)
      await page.getByRole('alert').getByText('Open this page with your reset link.').waitFor()
      await page.getByRole('link', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
    })
  },
  { environment },
)
