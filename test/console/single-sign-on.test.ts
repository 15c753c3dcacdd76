import { afterAll, expect, test } from 'vitest'
import { hasChromium } from '@overture/testing/chromium.ts'
import type { WatchedPage } from '@overture/testing/console/watched-page.ts'
import { describeConsole } from '@overture/testing/console/world.ts'
import { startOidcIssuer } from '@overture/testing/server/oidc-issuer.server.ts'

// Starts before the server, since the server's environment contains its address.
const issuer = hasChromium ? await startOidcIssuer() : null
afterAll(() => issuer?.stop())

const environment = {
  OVERTURE_OIDC_ISSUER: issuer?.url ?? '',
  OVERTURE_OIDC_CLIENT_ID: issuer?.clientId ?? '',
  OVERTURE_OIDC_CLIENT_SECRET: issuer?.clientSecret ?? '',
}
const button = 'Sign in with single sign-on'

let people = 0
/** Creates a person that the issuer knows. A test invites the person separately. */
function newPerson(more: Partial<NonNullable<typeof issuer>['person']> = {}): { email: string } {
  const email = `sso-${++people}@example.com`
  Object.assign(issuer!, { down: false, declines: false })
  issuer!.person = { sub: `sub-${people}`, email, email_verified: true, name: `Person ${people}`, ...more }
  return { email }
}

describeConsole(
  'single sign-on',
  (world) => {
    async function open(path: string): Promise<WatchedPage> {
      const { url } = world()
      issuer!.trust(`${url}/v2/auth/oidc/callback`)
      const page = await world().page({ signedIn: false })
      // The issuer is a foreign server, and its pages are visited during the sign-in.
      page.expectProblem(new RegExp(`foreign request: ${issuer!.url}/`))
      await page.goto(url + path)
      return page
    }
    const invite = (email: string) => world().live.invitations.create({ email, role: 'member' })

    test('its button signs in an invited user and opens the requested page', async () => {
      const { email } = newPerson()
      await invite(email)
      const page = await open('/app/test/settings/profile')
      await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
      await page.getByRole('button', { name: button }).click()
      await page.waitForURL(({ pathname }) => pathname === '/app/test/settings/profile')
      await page.getByText(email).first().waitFor()
      const me = await page.evaluate(async () => {
        const answer = await fetch('/v2/me', { headers: { 'x-overture-environment': 'test' } })
        return (await answer.json()) as { email: string; methods: string[] }
      })
      expect(me).toMatchObject({ email, methods: ['oidc'] })
    })

    test('the page of an invitation has the button too', async () => {
      const { email } = newPerson()
      const { url } = await invite(email)
      const { pathname, hash } = new URL(url!)
      const page = await open(pathname + hash)
      await page.getByRole('button', { name: button }).click()
      await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    })

    const refusals: readonly [string, () => Promise<unknown>, string][] = [
      ['says no', async () => void (newPerson(), (issuer!.declines = true)), 'Your organization refused the sign-in.'],
      ['knows a person without an invitation', async () => newPerson(), 'Your email address has no invitation.'],
      [
        'has not checked the address',
        () => invite(newPerson({ email_verified: false }).email),
        'Your organization has not verified your email address.',
      ],
    ]
    test.each(refusals)(
      'if the issuer %s, the page shows the reason, and the user can try again',
      async (_what, prepare, words) => {
        await prepare()
        const page = await open('/app/sign-in')
        await page.getByRole('button', { name: button }).click()
        const alert = page.getByRole('alert')
        await alert.getByText(words).waitFor()
        expect(new URL(page.url()).pathname).toBe('/app/sign-in')
        await invite(newPerson().email)
        await page.getByRole('button', { name: button }).click()
        await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
      },
    )

    test("a link can't show its own text on the page", async () => {
      const page = await open('/app/sign-in?refused=%3Cb%3ECall+us%3C%2Fb%3E')
      await page.getByRole('button', { name: button }).waitFor()
      expect([await page.getByRole('alert').count(), (await page.content()).includes('Call us</b>')]).toEqual([
        0,
        false,
      ])
    })
  },
  { environment },
)
