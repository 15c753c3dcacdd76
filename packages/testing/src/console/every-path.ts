import { readFileSync } from 'node:fs'
import type { ConsoleWorld } from './console.ts'
import { makeRunning, makeSender, prospects } from './campaigns.ts'

/** The values of the parameters of routes, by the part of the path that ends with the parameter. */
export type RouteValues = Readonly<Record<string, string>>

const routeTable = new URL('../../../console/src/pages.ts', import.meta.url)

/** The paths of all pages of the console inside an environment, as the route table has them. */
export function routes(): string[] {
  const [, inside = ''] = readFileSync(routeTable, 'utf8').split('inside: {')
  const found = [...inside.matchAll(/^ {4}'(\/[^']*)': \[/gm)].map(([, path]) => path!)
  if (found.length === 0) throw new Error('The route table of the console was not understood.')
  return found
}

/** The routes with values for their parameters, without the leading slash. A route without values is an error. */
export function everyPath(values: RouteValues): string[] {
  return routes().map((route) => {
    let [done, path] = ['', '']
    for (const part of route.split('/').slice(1)) {
      done += `/${part}`
      const value = part.startsWith('$') ? values[done] : part
      if (value === undefined) throw new Error(`No value for ${done}: add one to makeEverything`)
      path += `/${value}`
    }
    return path.slice(1)
  })
}

/** Creates a resource for each kind of page, and returns the values of the routes. */
export async function makeEverything({ api, live }: ConsoleWorld): Promise<RouteValues> {
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
  await api.exports.create({ tables: ['tags', 'lists'], format: 'csv' })
  const users = await live.users.list().toArray()
  const report = await api.reports.create({
    name: 'Campaigns of the week',
    query: { groupBy: 'campaign,week', campaignId: campaign.id },
    every: 'week',
    recipients: users.slice(0, 2).map(({ id }) => id),
  })
  await api.reports.run(report.id)
  const seed = await api.seedMailboxes.create({ email: 'seed+inbox@seeds.test' })
  const placementTest = await api.placementTests.create({
    campaignId: campaign.id,
    stepId: campaign.steps[0]!.id,
    sendingAccountIds: [sender.id],
    seedMailboxIds: [seed.id],
  })
  return {
    '/inbox/$id': conversation!.id,
    '/campaigns/$id': campaign.id,
    '/campaigns/$id/leads/$leadId': lead!.id,
    '/people/$id': lead!.id,
    '/lists/$id': list.id,
    '/sending-accounts/$id': sender.id,
    '/deliverability/$domain': sender.email.split('@')[1]!,
    '/reports/$id': report.id,
    '/placement-tests/$id': placementTest.id,
    '/developers/webhooks/$id': webhook.id,
  }
}
