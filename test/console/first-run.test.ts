import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { owner } from '@overture/testing/console/console.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

describeConsole(
  'the first run',
  (world) => {
    test('the setup link creates the first account once, and a reload stays on Home', async () => {
      const { setupLink } = world()
      const page = await world().page({ signedIn: false })
      await page.goto(setupLink)
      await page.getByLabel('Email').fill(owner.email)
      await page.getByLabel('Name').fill(owner.name)
      await page.getByLabel('Password').fill(owner.password)
      await page.getByRole('button', { name: 'Create account' }).click()
      await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
      await page.reload()
      await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()

      const second = await world().page({ signedIn: false })
      second.expectProblem(/status of 401/)
      await second.goto(setupLink)
      await second.getByLabel('Email').fill('eve@example.com')
      await second.getByLabel('Name').fill('Eve')
      await second.getByLabel('Password').fill(owner.password)
      await second.getByRole('button', { name: 'Create account' }).click()
      await second.getByRole('alert').waitFor()
    })

    test('the first screen loads at most 15 scripts and 150 kB of them, compressed', async () => {
      const page = await world().page({ signedIn: false })
      const sizes: Promise<number>[] = []
      page.on('response', (response) => {
        if (new URL(response.url()).pathname.endsWith('.js'))
          sizes.push(response.body().then((body) => gzipSync(body, { level: 9 }).length))
      })
      await page.goto(`${world().url}/app/sign-in`)
      await page.getByLabel('Password').waitFor()
      const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
      expect(sizes.length).toBeGreaterThan(3)
      expect(sizes.length).toBeLessThanOrEqual(15)
      expect(bytes).toBeLessThanOrEqual(150_000)
    })

    test('a wrong password and an unknown address get the same message; the sixth try is limited', async () => {
      const page = await world().page({ signedIn: false })
      page.expectProblem(/status of 4(01|29)/)
      await page.goto(`${world().url}/app/sign-in`)
      const attempt = async (email: string): Promise<string> => {
        await page.getByLabel('Email').fill(email)
        await page.getByLabel('Password').fill('not the password')
        const answered = page.waitForResponse((response) => response.url().endsWith('/v2/auth/login'))
        await page.getByRole('button', { name: 'Sign in' }).click()
        await answered
        return (await page.getByRole('alert').locator('p').first().innerText()).trim()
      }
      const unknown = await attempt('nobody@example.com')
      const known = await attempt('grace@example.com')
      expect(known).toBe(unknown)
      for (let tries = 2; tries <= 5; tries++) await attempt('grace@example.com')
      expect(await attempt('grace@example.com')).toMatch(/again|later|minutes|seconds/i)
    })

    test('the session cookie is not readable by scripts, and foreign requests change nothing', async () => {
      const { url } = world()
      const page = await world().page()
      await page.goto(`${url}/app/test`)
      await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
      const [cookie] = await page.context().cookies(url)
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
      const statusWith = async (headers: Record<string, string>) =>
        (await page.context().request.post(`${url}/v2/campaigns`, { data: { name: 'x' }, headers })).status()
      expect(await statusWith({})).toBe(403)
      expect(await statusWith({ origin: url })).toBe(400)
      expect(await statusWith({ origin: 'https://evil.example', 'x-overture-environment': 'test' })).toBe(403)
      expect(await statusWith({ 'sec-fetch-site': 'cross-site', origin: url, 'x-overture-environment': 'test' })).toBe(
        403,
      )
      expect(await world().api.campaigns.list().toArray()).toEqual([])
    })

    test('simulated prospects lead from Home to a reply in the inbox with one click', async () => {
      const page = await world().page()
      await page.goto(`${world().url}/app/test`)
      await page.getByRole('button', { name: 'Try it with simulated prospects' }).click()
      await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor()
      await page.getByRole('list', { name: 'Conversations' }).getByRole('link').first().waitFor()
    })
  },
  { setUp: false },
)
