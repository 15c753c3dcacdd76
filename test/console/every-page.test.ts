import type { Campaign, Conversation, ListOfPeople, SendingAccount, Webhook } from '@overture/sdk'
import { beforeAll, expect, test } from 'vitest'
import type { ConsoleWorld } from '@overture/testing/console/console.ts'
import { holds } from '@overture/testing/console/holds.ts'
import { makeRunning, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

interface Things {
  campaign: Campaign
  sender: SendingAccount
  conversation: Conversation
  webhook: Webhook
  leadId: string
  list: ListOfPeople
}

/** Every route of the console, with existing resources. */
function pathsOf({ campaign, sender, conversation, webhook, leadId, list }: Things): string[] {
  const root = `campaigns/${campaign.id}`
  const tabs = [
    'overview',
    'steps',
    'leads',
    'leads/import',
    'senders',
    'schedule',
    'review',
    'texts',
    'analytics',
    'settings',
  ]
  return [
    '',
    'inbox',
    `inbox/${conversation.id}`,
    'campaigns',
    ...tabs.map((tab) => `${root}/${tab}`),
    `${root}/leads/${leadId}/thread`,
    `${root}/leads/${leadId}/why`,
    'people',
    `people/${leadId}`,
    'erasures',
    'lists',
    `lists/${list.id}`,
    'finder/people',
    'finder/companies',
    'sending-accounts',
    'sending-accounts/connect',
    'sending-accounts/organizations',
    `sending-accounts/${sender.id}`,
    'tasks',
    'deliverability',
    `deliverability/${sender.email.split('@')[1]}`,
    'placement-tests',
    'meetings/list',
    'meetings/availability',
    'templates',
    'analytics',
    'suppressions',
    'developers/keys',
    'developers/webhooks',
    `developers/webhooks/${webhook.id}`,
    'developers/events',
    'developers/clock',
    'developers/mail',
    'settings/account',
    'settings/contacts',
    'settings/seeds',
    'settings/team',
    'settings/profile',
    'settings/billing',
  ]
}

async function makeThings({ api }: ConsoleWorld): Promise<Things> {
  const sender = await makeSender(api)
  const leads = [
    ...prospects(3, 'interested'),
    ...prospects(2, 'unsubscribe', 3),
    ...prospects(3, '', 5),
    ...prospects(1, 'book', 8),
  ]
  const campaign = await makeRunning(api, { name: 'Spring', sendingAccountIds: [sender.id], leads })
  await api.templates.create({ name: 'Thanks', body: 'Thanks, {{ firstName }}.', tags: ['snippet'] })
  const webhook = await api.webhooks.create({ url: 'https://example.com/hook' })
  await api.sandbox.clock.advance({ by: '2d' })
  const [conversation] = await api.conversations.list().toArray()
  const [lead] = await api.campaigns.leads.list(campaign.id).toArray()
  const list = await api.lists.create({ name: 'Visitors' })
  await api.lists.members.add(list.id, { members: [{ email: 'ada@example.com' }] })
  return { campaign, sender, webhook, conversation: conversation!, leadId: lead!.id, list }
}

describeConsole('every page', (world) => {
  let paths: string[]
  beforeAll(async () => {
    paths = pathsOf(await makeThings(world()))
  })

  const sizes = [
    { width: 1280, height: 860, dark: false, locale: 'en' },
    // The test language has words a third longer, as in other languages: no text may be cut off.
    { width: 390, height: 844, dark: true, locale: 'en-XA' },
  ]

  test.each(sizes)(
    'at $width px, in $locale, in both themes: one heading, own title, accessible, no sideways scrolling',
    async (options) => {
      const page = await world().page(options)
      await page.addInitScript(`localStorage.setItem('overture.locale', '${options.locale}')`)
      // The test opens pages faster than users do. The console retries a 429 after the requested time, and the browser logs the 429.
      page.expectProblem(/status of 429/)
      await page.goto(`${world().url}/app/test/templates`)
      const titles = new Map<string, string>()
      const problems: string[] = []
      for (const path of paths) {
        await goTo(page, `/app/test/${path}`)
        const before = [...titles.keys()].at(-1) ?? ''
        await holds(async () => (await page.title()) !== before && (await page.locator('h1').count()) > 0)
        await settled(page)
        // Names within other texts are not lengthened by the test language, so axe reports a mismatch that isn't real.
        const found = await page.accessibility()
        problems.push(...found.filter((one) => options.locale === 'en' || !/label-content-name-mismatch/.test(one)))
        // The other theme differs only in colors.
        await page.emulateMedia({ colorScheme: options.dark ? 'light' : 'dark' })
        await holds(async () => (await page.evaluate('document.documentElement.dataset.theme')) !== themeOf(options))
        problems.push(...(await page.accessibility(['color-contrast'])))
        await page.emulateMedia({ colorScheme: themeOf(options) })
        await holds(async () => (await page.evaluate('document.documentElement.dataset.theme')) === themeOf(options))
        const headings = await page.getByRole('heading', { level: 1 }).count()
        if (headings !== 1) problems.push(`${path}: ${headings} main headings`)
        const title = await page.title()
        if (titles.has(title)) problems.push(`${path} and ${titles.get(title)} are both called ${title}`)
        titles.set(title, path)
        if (options.locale === 'en-XA' && !/\[.*·\]/.test(await page.locator('main').innerText()))
          problems.push(`${path} says nothing in the language that was chosen`)
        const over = await sideways(page)
        if (over > 0) problems.push(`${path}: ${over} px wider than the screen`)
      }
      expect(problems).toEqual([])
    },
    eachPageTimeoutMs,
  )

  test.each(['sign-in', 'forgot', 'setup#not-a-token'])('before sign-in, %s passes the same checks', async (path) => {
    for (const { width, height } of sizes) {
      const page = await world().page({ width, height, signedIn: false })
      await page.goto(`${world().url}/app/${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await holds(async () => (await page.evaluate('document.documentElement.dataset.theme')) === colorScheme)
        expect(await page.accessibility()).toEqual([])
        expect(await sideways(page)).toBe(0)
      }
    }
  })
})

type PageOf = Awaited<ReturnType<ConsoleWorld['page']>>

function sideways(page: PageOf): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}

function themeOf({ dark }: { dark: boolean }): 'dark' | 'light' {
  return dark ? 'dark' : 'light'
}

/** The test visits dozens of pages twice, also on a busy machine. */
const eachPageTimeoutMs = 30 * 60_000

/** Navigates like a link, so that the console is loaded only once. */
async function goTo(page: PageOf, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState({}, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  )
}

/** Waits until the page has loaded its data: no skeleton and nothing busy. */
async function settled(page: PageOf): Promise<void> {
  await holds(async () => (await page.locator('main [role=status][aria-label=Loading]').count()) === 0)
}
