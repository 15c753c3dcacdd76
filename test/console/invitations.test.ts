import { expect, test } from 'vitest'
import { owner } from '@overture/testing/console/console.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

const bob = { email: 'bob@example.com', name: 'Bob Miller', password: 'six tall ladders wait' }
const another = 'four wet pianos argue'

describeConsole('joining and passwords', (world) => {
  let link = ''

  test('an invitation without system mail says who must send the link, and the link fits into the dialog', async () => {
    for (const width of [1360, 390]) {
      const page = await world().page({ width })
      await page.goto(`${world().url}/app/live/settings/team`)
      await page.getByRole('button', { name: 'Invite', exact: true }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Close' }).click()
      await dialog.waitFor({ state: 'hidden' })
      await page.getByRole('button', { name: 'Invite', exact: true }).click()
      await dialog.getByLabel('Email').fill(bob.email)
      await dialog.getByRole('button', { name: 'Create link' }).click()
      const shown = page.getByRole('dialog', { name: 'Copy the invitation link' })
      await shown.getByText(`No mail was sent: send this link to ${bob.email} yourself.`).waitFor()
      const over = await shown.evaluate((element) => element.scrollWidth - element.clientWidth)
      expect(over).toBeLessThanOrEqual(0)
      expect(await shown.getByRole('button', { name: 'Close' }).isVisible()).toBe(true)
      link = await shown.getByText('/app/accept#').innerText()
    }
  })

  test('the page of an invitation names the inviting user, the account and the address', async () => {
    const page = await world().page({ signedIn: false })
    await page.goto(link)
    const { account } = await meOf()
    await page.getByRole('heading', { name: `Join ${account.name}`, level: 1 }).waitFor()
    await page.getByText(`${owner.name} invited you to ${account.name} with the role Member.`).waitFor()
    expect(await page.getByLabel('Email').inputValue()).toBe(bob.email)
    await page.getByLabel('Name').fill(bob.name)
    await page.getByLabel('Password').fill(bob.password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()

    const late = await world().page({ signedIn: false })
    late.expectProblem(/status of 401/)
    await late.goto(link)
    await late.getByRole('alert').getByText('This invitation is unknown, was already used or has expired.').waitFor()
    expect(await late.getByLabel('Password').count()).toBe(0)
  })

  test('a user changes the password in the profile, which ends other sessions', async () => {
    const page = await world().page({ signedIn: false })
    page.expectProblem(/status of 401/)
    const elsewhere = await world().page({ signedIn: false })
    elsewhere.expectProblem(/status of 401/)
    for (const one of [page, elsewhere]) {
      await one.goto(`${world().url}/app/sign-in`)
      await one.getByLabel('Email').fill(bob.email)
      await one.getByLabel('Password').fill(bob.password)
      await one.getByRole('button', { name: 'Sign in', exact: true }).click()
      await one.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    }
    await page.goto(`${world().url}/app/test/settings/profile`)
    expect(await page.getByLabel('Language').count()).toBe(0)
    const current = page.getByLabel('Current password')
    await current.fill('not the password at all')
    await page.getByLabel('New password').fill(another)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('The current password is wrong.').waitFor()
    expect([await current.getAttribute('aria-invalid'), await page.getByRole('dialog').count()]).toEqual(['true', 0])
    await current.fill(bob.password)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Password changed. You are signed out everywhere else.').waitFor()
    await page.reload()
    await page.getByLabel('Current password').waitFor()
    await elsewhere.reload()
    await elsewhere.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
  })

  test('a forgotten password without system mail leads to the operator', async () => {
    const page = await world().page({ signedIn: false })
    await page.goto(`${world().url}/app/sign-in`)
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await page.getByText('This server can’t send you a link').waitFor()
    await page.getByRole('button', { name: 'Copy the instruction' }).click()
    await page.getByText('Copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('overture users reset-password')
  })

  async function meOf(): Promise<{ account: { name: string } }> {
    const page = await world().page()
    const answer = await page.request.get(`${world().url}/v2/me`, { headers: { 'x-overture-environment': 'live' } })
    return (await answer.json()) as { account: { name: string } }
  }
})
