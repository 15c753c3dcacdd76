import { mkdir } from 'node:fs/promises'
import { exampleCampaign } from '@overture/sdk/example-campaign.ts'
import { beforeAll, test } from 'vitest'
import { makeRunning, makeSender, makeDraft, prospects } from '@overture/testing/console/campaigns.ts'
import { holds } from '@overture/testing/console/holds.ts'
import type { PageOptions } from '@overture/testing/console/console.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

/**
 * Takes screenshots for people to look at, so it runs only on demand: `SCREENSHOTS=docs/screenshots/console npx vitest run
 * test/console/screenshots.test.ts`. With `SCREENSHOTS_OF=all` it takes every page in both themes and both widths.
 */
const folder = process.env['SCREENSHOTS']
const all = process.env['SCREENSHOTS_OF'] === 'all'

const quietMs = 1_500

if (folder === undefined) test.skip('screenshots are taken with SCREENSHOTS=folder', () => undefined)
else
  describeConsole('screenshots', (world) => {
    let ids: Record<'running' | 'forked' | 'draft' | 'lead' | 'known' | 'conversation' | 'sender' | 'webhook', string>
    beforeAll(async () => {
      const { api } = world()
      const sender = await makeSender(api)
      await makeSender(api, 'grace@sender.test')
      const leads = [
        ...prospects(6, 'interested'),
        ...prospects(8, 'open', 6),
        ...prospects(4, 'reply', 14),
        ...prospects(20, '', 18),
        ...prospects(2, 'unsubscribe', 38),
        ...prospects(1, 'book', 40),
        ...prospects(2, 'ooo', 41),
      ]
      const campaign = await makeRunning(api, {
        name: 'Spring outreach',
        sendingAccountIds: [sender.id],
        leads,
        steps: exampleCampaign.steps.slice(0, 2),
      })
      const fork = await makeRunning(api, {
        name: 'Those who looked',
        sendingAccountIds: [sender.id],
        leads: [...prospects(8, 'open', 200), ...prospects(12, '', 210)],
        steps: forked,
        settings: { openTracking: true },
      })
      const draft = await makeDraft(api, {
        name: 'Autumn, follow-up',
        sendingAccountIds: [sender.id],
        leads: prospects(60, '', 100),
        steps: exampleCampaign.steps.slice(0, 2),
      })
      await api.templates.create({
        name: 'Thanks',
        subject: 'Thank you',
        body: 'Thank you, {{ firstName }}.',
        tags: ['snippet'],
      })
      const webhook = await api.webhooks.create({ url: 'https://example.com/hooks/overture' })
      await api.suppressions.create({ email: 'never@example.com' })
      await api.sandbox.clock.advance({ by: '2d' })
      const [conversation] = await api.conversations.list().toArray()
      const waiting = await api.campaigns.leads.list(campaign.id, { blockedReason: 'wait_not_over' }).toArray()
      const [known] = await api.campaigns.leads.list(fork.id, { email: 'person201+open@prospects.test' }).toArray()
      ids = {
        running: campaign.id,
        forked: fork.id,
        known: known!.id,
        draft: draft.id,
        lead: waiting[0]!.id,
        conversation: conversation!.id,
        sender: sender.id,
        webhook: webhook.id,
      }
      await mkdir(folder, { recursive: true })
    })

    const pages = (): [string, string][] => [
      ['home', ''],
      ['inbox', `inbox/${ids.conversation}?view=all`],
      ['campaigns', 'campaigns'],
      ['campaign-overview', `campaigns/${ids.running}/overview`],
      ['campaign-steps', `campaigns/${ids.draft}/steps`],
      ['campaign-branches', `campaigns/${ids.forked}/steps`],
      ['campaign-branches-analytics', `campaigns/${ids.forked}/analytics`],
      ['campaign-leads', `campaigns/${ids.running}/leads`],
      ['campaign-import', `campaigns/${ids.draft}/leads/import`],
      ['campaign-review', `campaigns/${ids.draft}/review`],
      ['campaign-texts', `campaigns/${ids.draft}/texts`],
      ['campaign-analytics', `campaigns/${ids.running}/analytics`],
      ['campaign-schedule', `campaigns/${ids.draft}/schedule`],
      ['campaign-settings', `campaigns/${ids.draft}/settings`],
      ['lead-thread', `campaigns/${ids.running}/leads/${ids.lead}/thread`],
      ['lead-why', `campaigns/${ids.running}/leads/${ids.lead}/why`],
      ['lead-path', `campaigns/${ids.forked}/leads/${ids.known}/why`],
      ['people', 'people'],
      ['person', `people/${ids.lead}`],
      ['finder', 'finder/people?seniority=vp'],
      ['finder-companies', 'finder/companies'],
      ['sending-accounts', 'sending-accounts'],
      ['sending-account', `sending-accounts/${ids.sender}`],
      ['sending-account-connect', 'sending-accounts/connect'],
      ['meetings', 'meetings/list'],
      ['meetings-availability', 'meetings/availability'],
      ['templates', 'templates'],
      ['analytics', 'analytics'],
      ['suppressions', 'suppressions'],
      ['developers', 'developers/keys'],
      ['developers-webhooks', 'developers/webhooks'],
      ['developers-webhook', `developers/webhooks/${ids.webhook}`],
      ['developers-events', 'developers/events'],
      ['developers-clock', 'developers/clock'],
      ['developers-mail', 'developers/mail'],
      ['settings-account', 'settings/account'],
      ['settings-team', 'settings/team'],
      ['settings', 'settings/profile'],
      ['settings-billing', 'settings/billing'],
      ['settings-export', 'settings/export'],
    ]
    const few = all ? null : ['home', 'inbox', 'campaign-overview', 'campaign-steps', 'campaign-branches', 'lead-why']

    const take = async (kind: string, options: PageOptions, names: readonly string[] | null): Promise<void> => {
      const page = await world().page(options)
      // The test opens pages faster than users do. The console retries a 429 after the requested time, and the browser logs the 429.
      page.expectProblem(/status of 429/)
      for (const [name, path] of pages().filter(([one]) => names === null || names.includes(one))) {
        await page.goto(`${world().url}/app/test/${path}`)
        await page.getByRole('heading', { level: 1 }).first().waitFor()
        await holds(async () => (await page.locator('main [role=status][aria-label=Loading]').count()) === 0)
        await page.waitForTimeout(quietMs)
        await page.screenshot({ path: `${folder}/${name}${kind}.png` })
      }
    }

    test('light', () => take('', {}, null))
    test('dark', () => take('-dark', { dark: true }, few))
    test('narrow', () => take('-narrow', { width: 390, height: 844 }, few))
    if (all) test('narrow and dark', () => take('-narrow-dark', { width: 390, height: 844, dark: true }, null))
  })

const forked = [
  {
    key: 'hello',
    variants: [
      {
        subject: 'A question, {{ firstName }}',
        body: 'Hello {{ firstName }},\n\nwho answers new enquiries at {{ company }}?',
      },
    ],
  },
  {
    type: 'branch' as const,
    waitBefore: { value: 1, unit: 'days' as const },
    branches: [{ label: 'Looked at it', when: { did: 'opened' as const }, goTo: 'looked' }],
    then: 'again',
  },
  {
    key: 'looked',
    waitBefore: { value: 1, unit: 'days' as const },
    variants: [{ body: 'Shall I show you in ten minutes, {{ firstName }}?' }],
    then: 'end',
  },
  { key: 'again', waitBefore: { value: 3, unit: 'days' as const }, variants: [{ body: 'Did my note reach you?' }] },
]
