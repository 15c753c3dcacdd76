import { expect, test } from 'vitest'
import { makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { holds } from '@overture/testing/console/holds.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

describeConsole('lists and tags', (world) => {
  test('a list is created, filled, followed and deleted, and the question before names its campaigns', async () => {
    const { api, url } = world()
    const campaign = await api.campaigns.create({ name: 'Spring' })
    const page = await world().page()
    await page.goto(`${url}/app/test/lists`)
    await page.getByRole('button', { name: 'Create list' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Visitors')
    await dialog.getByRole('button', { name: 'Create list' }).click()
    await page.getByRole('heading', { name: 'Visitors' }).waitFor()
    await page.getByRole('button', { name: 'Import people' }).click()
    await dialog.getByLabel('CSV or Excel file').setInputFiles({
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('email,first name\nada@example.com,Ada\nbo@example.com,Bo\nno address,\n'),
    })
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await dialog.getByText('2 added, 0 updated, 1 rejected').waitFor()
    await page.keyboard.press('Escape')
    const members = page.getByRole('table', { name: 'Members' })
    await members.getByText('ada@example.com').waitFor()

    await page.goto(`${url}/app/test/campaigns/${campaign.id}/leads`)
    await page.getByRole('button', { name: 'Follow a list' }).click()
    await dialog.getByLabel('List', { exact: true }).selectOption({ label: 'Visitors' })
    await dialog.getByText('A completed campaign runs again when it gets new people.').waitFor()
    expect(await page.accessibility()).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    const leads = async () => (await api.campaigns.get(campaign.id)).leadCount
    await expect.poll(leads, { timeout: 60_000 }).toBe(2)

    const followed = page.getByRole('link', { name: 'Follows Visitors · 2 added, 0 skipped', exact: true })
    await followed.waitFor()
    await page.getByRole('button', { name: 'Change list', exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Follow a list' }).count()).toBe(0)
    expect(await page.accessibility()).toEqual([])
    await followed.click()
    await page.getByText('2 became leads, 0 skipped').waitFor()
    await members.getByRole('button', { name: 'Remove' }).first().click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Still a lead of Spring').waitFor()
    await members.getByText('ada@example.com').waitFor({ state: 'detached' })

    const listId = (await api.campaigns.get(campaign.id)).settings.followsListId!
    for (let at = 1; at <= 11; at++)
      await api.campaigns.create({ name: `Follower ${at}`, settings: { followsListId: listId } })
    await page.reload()
    await page.getByRole('button', { name: 'Delete list' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByText('12 campaigns follow it: “Spring”, “Follower 1”').waitFor()
    await question.getByText('“Follower 9” and 2 more. They stop following the list.').waitFor()
    await question.getByRole('button', { name: 'Delete list' }).click()
    await page.getByText('No lists yet').waitFor()
    expect((await api.campaigns.get(campaign.id)).settings.followsListId).toBe(null)
    expect((await api.campaigns.get(campaign.id)).leadCount).toBe(2)
  })

  test('a new tag is given to a campaign, and the campaigns are filtered by it', async () => {
    const { api, url } = world()
    const campaign = await api.campaigns.create({ name: 'Tagged campaign' })
    await api.campaigns.create({ name: 'Plain campaign' })
    const page = await world().page()
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/overview`)
    await page.getByRole('textbox', { name: 'New tag' }).fill('Trade fair')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Remove Trade fair' }).waitFor()
    await page.goto(`${url}/app/test/campaigns`)
    await page.getByText('Plain campaign').waitFor()
    await page.getByLabel('Tag', { exact: true }).selectOption({ label: 'Trade fair' })
    await page.getByText('Plain campaign').waitFor({ state: 'detached' })
    await page.getByText('Tagged campaign').waitFor()
  })

  test('selected campaigns get a new tag by keys alone, a deleted one is reported, and Undo removes the tag', async () => {
    const { api, url } = world()
    const [one, other, deleted] = await Promise.all(
      ['Autumn A', 'Autumn B', 'Autumn C'].map((name) => api.campaigns.create({ name })),
    )
    const page = await world().page()
    await page.goto(`${url}/app/test/campaigns?q=Autumn`)
    const boxes = page.getByRole('table', { name: 'Campaigns' }).getByRole('checkbox')
    for (const name of ['Autumn A', 'Autumn B', 'Autumn C']) {
      await boxes.and(page.getByLabel(`Select ${name}`)).focus()
      await page.keyboard.press('Space')
    }
    const bar = page.getByRole('region', { name: 'Actions for selected campaigns' })
    await bar.getByText('3 selected').waitFor()
    expect(await bar.getByRole('button', { name: 'Remove tag' }).getAttribute('aria-disabled')).toBe('true')
    await bar.getByText('The selected rows have no tags.').waitFor()
    await api.campaigns.delete(deleted!.id)
    await bar.getByRole('button', { name: 'Add tag' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Add a tag to 3 selected' })
    await dialog.getByRole('textbox', { name: 'New tag' }).focus()
    await page.keyboard.type('Harvest')
    expect(await page.accessibility()).toEqual([])
    await page.keyboard.press('Enter')
    // The message stays while the pointer is over it, so that the user can undo.
    await page.getByText('Harvest added to 2 · 1 no longer exists').hover()
    const [tag] = (await api.tags.list().toArray()).filter(({ name }) => name === 'Harvest')
    const tagged = async () => (await api.campaigns.list({ tagId: tag!.id }).toArray()).map(({ id }) => id).toSorted()
    expect(await tagged()).toEqual([one!.id, other!.id].toSorted())
    expect(await bar.count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await holds(async () => (await tagged()).length === 0)
  })

  test('more people than one call may have are tagged in parts, and a lost connection is continued', async () => {
    const { api, url } = world()
    const campaign = await api.campaigns.create({ name: 'Crowd' })
    await api.campaigns.leads.add(campaign.id, { leads: prospects(150, 'crowd') })
    const tag = await api.tags.create({ name: 'Crowd' })
    const tagged = async () => (await api.leads.list({ tagId: tag.id }).toArray()).length
    const page = await world().page()
    await page.goto(`${url}/app/test/people?q=crowd`)
    await page.getByRole('button', { name: 'Load more' }).click()
    await page.getByRole('table').getByRole('checkbox').first().click()
    const bar = page.getByRole('region', { name: 'Actions for selected people' })
    await bar.getByRole('button', { name: 'Select all 150 loaded' }).click()
    await bar.getByText('150 selected').waitFor()
    await bar.getByRole('button', { name: 'Add tag' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Tag to add').selectOption({ label: 'Crowd' })
    page.expectProblem(/ERR_FAILED/)
    const sizes: number[] = []
    await page.route('**/v2/tags/*/assign*', (route) => {
      const { ids } = route.request().postDataJSON() as { ids: string[] }
      sizes.push(ids.length)
      return ids.length === 100 ? route.continue() : route.abort()
    })
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.getByText('100 of 150 are done.').waitFor()
    await dialog.getByRole('alert').waitFor()
    expect(await page.accessibility()).toEqual([])
    expect([sizes[0], new Set(sizes)]).toEqual([100, new Set([100, 50])])
    expect(await tagged()).toBe(100)
    await page.unroute('**/v2/tags/*/assign*')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Crowd added to 150').waitFor()
    expect(await tagged()).toBe(150)
  })

  test('the people of a company are shown, selected together and added to a campaign, after a question', async () => {
    const { api, url } = world()
    const [running, next] = await Promise.all(['Running', 'Next'].map((name) => api.campaigns.create({ name })))
    const colleagues = ['ann', 'ben', 'cleo'].map((name) => ({
      email: `${name}@globex.example.com`,
      firstName: name,
      company: 'Globex',
    }))
    await api.campaigns.leads.add(running!.id, {
      leads: [...colleagues, { email: 'dan@acme.example.com', company: 'ACME' }],
    })
    await api.campaigns.leads.bulkUpdate(running!.id, {
      filter: { email: 'cleo@globex.example.com' },
      status: 'stopped',
    })
    const page = await world().page()
    await page.goto(`${url}/app/test/people?q=example.com`)
    const table = page.getByRole('table', { name: 'People' })
    await table.getByText('dan@acme.example.com').waitFor()
    await table.getByRole('link', { name: 'Globex', exact: true }).first().click()
    await table.getByText('dan@acme.example.com').waitFor({ state: 'detached' })
    await table.getByLabel('Select ann@globex.example.com').focus()
    await page.keyboard.press('Space')
    const bar = page.getByRole('region', { name: 'Actions for selected people' })
    await bar.getByRole('button', { name: 'Select all 3 loaded' }).focus()
    await page.keyboard.press('Enter')
    await bar.getByText('3 selected').waitFor()
    await bar.getByRole('button', { name: 'Add to campaign' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Add to campaign' })
    await dialog.getByLabel('Campaign').selectOption({ label: 'Next' })
    await dialog.getByRole('button', { name: 'Add 3 to a campaign' }).focus()
    await page.keyboard.press('Enter')
    await dialog.getByText('2 of 3 people get messages from another campaign, or answered there:').waitFor()
    await dialog.getByText('ann is in “Running” and gets messages there.').waitFor()
    expect(await page.accessibility()).toEqual([])
    await dialog.getByRole('button', { name: 'Leave out 2' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('1 person was added').waitFor()
    const [added, ...others] = await api.campaigns.leads.list(next!.id).toArray()
    expect([added!.email, added!.firstName, others]).toEqual(['cleo@globex.example.com', 'cleo', []])
    await page.getByRole('group', { name: 'People' }).and(page.locator(':focus')).waitFor()
  })

  test('all people who match are tagged page by page, and a stopped change says how far it came', async () => {
    const { api, url } = world()
    const campaign = await api.campaigns.create({ name: 'Multitude' })
    await api.campaigns.leads.add(campaign.id, { leads: prospects(250, 'multitude') })
    const tag = await api.tags.create({ name: 'Multitude' })
    const tagged = async () => (await api.leads.list({ tagId: tag.id }).toArray()).length
    const page = await world().page()
    await page.goto(`${url}/app/test/people?q=multitude`)
    await page.getByRole('table').getByRole('checkbox').first().click()
    const bar = page.getByRole('region', { name: 'Actions for selected people' })
    const open = async () => {
      await bar.getByRole('button', { name: 'Select all 250 that match' }).click()
      await bar.getByText('250 selected').waitFor()
      await bar.getByRole('button', { name: 'Add tag' }).click()
      await page.getByRole('dialog').getByLabel('Tag to add').selectOption({ label: 'Multitude' })
    }
    await bar.getByRole('button', { name: 'Select all 100 loaded' }).click()
    await open()
    const dialog = page.getByRole('dialog')
    // The second part waits until the user has stopped the change.
    let release = (): void => undefined
    const stopped = new Promise<void>((resolve) => (release = resolve))
    const sizes: number[] = []
    await page.route('**/v2/tags/*/assign*', async (route) => {
      sizes.push((route.request().postDataJSON() as { ids: string[] }).ids.length)
      if (sizes.length === 2) await stopped
      return route.continue()
    })
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.getByText('100 of 250').waitFor()
    expect(await page.accessibility()).toEqual([])
    await holds(async () => sizes.length === 2)
    await dialog.getByRole('button', { name: 'Stop' }).click()
    release()
    await page.getByText('Multitude added to 200 · Stopped after 200 of 250').waitFor()
    expect([sizes, await tagged()]).toEqual([[100, 100], 200])

    await page.getByRole('table').getByRole('checkbox').first().click()
    await bar.getByRole('button', { name: 'Select all 100 loaded' }).click()
    await open()
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('Multitude added to 50 · 200 had it already').waitFor()
    expect(await tagged()).toBe(250)
  })

  test('a tag is removed from selected sending accounts, and the ones without it are counted', async () => {
    const { api, url } = world()
    const [one, other] = await Promise.all(
      ['one@sender.test', 'two@sender.test'].map((email) => makeSender(api, email)),
    )
    const tag = await api.tags.create({ name: 'Old domain' })
    await api.tags.assign(tag.id, { ids: [one!.id] })
    const page = await world().page()
    await page.goto(`${url}/app/test/sending-accounts`)
    for (const { email } of [one!, other!]) await page.getByLabel(`Select ${email}`).click()
    const bar = page.getByRole('region', { name: 'Actions for selected sending accounts' })
    await bar.getByRole('button', { name: 'Remove tag' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove a tag from 2 selected' })
    expect(await dialog.getByRole('button', { name: 'Remove' }).getAttribute('aria-disabled')).toBe('true')
    await dialog.getByLabel('Tag to remove').selectOption({ label: 'Old domain' })
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Old domain removed from 1 · 1 did not have it').waitFor()
    expect((await api.sendingAccounts.get(one!.id)).tagIds).toEqual([])
  })

  test('a list is renamed and described, and a person is added by hand, changed and refused at the field', async () => {
    const { api, url } = world()
    const { id } = await api.lists.create({ name: 'Guests' })
    const page = await world().page()
    await page.goto(`${url}/app/test/lists/${id}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const naming = page.getByRole('dialog', { name: 'Edit the list' })
    await naming.getByLabel('Name', { exact: true }).fill('')
    page.expectProblem(/status of 400/)
    await naming.getByRole('button', { name: 'Save', exact: true }).click()
    await naming.getByLabel('Name', { exact: true }).and(page.locator('[aria-invalid]')).waitFor()
    await naming.getByLabel('Name', { exact: true }).fill('Guests of honor')
    await naming.getByLabel('Description').fill('They speak on the second day.')
    await naming.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'Guests of honor', exact: true }).waitFor()
    await page.getByText('They speak on the second day.', { exact: true }).waitFor()

    const dialog = page.getByRole('dialog', { name: 'Add person' })
    const add = async (fields: Record<string, string>) => {
      for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label).fill(value)
      await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    }
    await page.getByRole('button', { name: 'Add person', exact: true }).click()
    await add({ Email: 'no address', 'First name': 'Grace', 'Last name': 'Hopper' })
    await dialog.getByLabel('Email').and(page.locator('[aria-invalid]')).waitFor()
    expect(await page.accessibility()).toEqual([])
    await add({ Email: 'grace@example.com' })
    await page.getByText('grace@example.com was added', { exact: true }).waitFor()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('table', { name: 'Members' }).getByText('Grace Hopper', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Add person', exact: true }).click()
    await add({ Email: 'grace@example.com', Company: 'Navy' })
    await page.getByText('grace@example.com was in the list already, and was updated', { exact: true }).waitFor()
    await page.getByRole('table', { name: 'Members' }).getByText('Navy', { exact: true }).waitFor()
    await api.lists.members.add(id, { members: [{ email: 'grace@example.com', customVariables: { rank: 'Admiral' } }] })
    await page.reload()
    await page.getByRole('table', { name: 'Members' }).getByText('rank: Admiral', { exact: true }).waitFor()
    const members = await api.lists.members.list(id).toArray()
    expect(members).toMatchObject([{ email: 'grace@example.com', firstName: 'Grace', company: 'Navy' }])
  })

  test('selected people are added to a list with what is known of them, by keys alone', async () => {
    const { api, url } = world()
    const campaign = await api.campaigns.create({ name: 'Source of people' })
    await api.campaigns.leads.add(campaign.id, { leads: prospects(3, 'listed') })
    const older = await api.lists.create({ name: 'Older' })
    await api.lists.create({ name: 'Newer' })
    const page = await world().page()
    await page.goto(`${url}/app/test/people?q=listed`)
    await page.getByRole('table').getByRole('checkbox').first().click()
    const bar = page.getByRole('region', { name: 'Actions for selected people' })
    await bar.getByRole('button', { name: 'Select all 3 loaded' }).click()
    await bar.getByText('3 selected').waitFor()
    await bar.getByRole('button', { name: 'Add to list', exact: true }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Add to list' })
    await dialog.getByLabel('List', { exact: true }).selectOption({ label: 'Older' })
    expect(await page.accessibility()).toEqual([])
    await dialog.getByRole('button', { name: 'Add 3 to a list', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('3 added to the list, 0 updated', { exact: true }).waitFor()
    await bar.waitFor({ state: 'detached' })
    const members = await api.lists.members.list(older.id).toArray()
    expect(members.map(({ email, company }) => ({ email, company }))).toEqual(
      prospects(3, 'listed').map(({ email, company }) => ({ email, company })),
    )
  })

  test('a tag is renamed and deleted beside the filter, and the filter by the deleted tag ends', async () => {
    const { api, url } = world()
    const campaign = await api.campaigns.create({ name: 'Campaign with a tag' })
    const [wrong] = await Promise.all(['Fare', 'Taken'].map((name) => api.tags.create({ name })))
    await api.tags.assign(wrong!.id, { ids: [campaign.id] })
    await api.campaigns.create({ name: 'Campaign without tags' })
    const page = await world().page()
    await page.goto(`${url}/app/test/campaigns?tag=${wrong!.id}`)
    await page.getByRole('button', { name: 'Manage tags', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Manage tags' })
    await dialog.getByRole('button', { name: 'Rename Fare', exact: true }).click()
    const name = dialog.getByLabel('New name of Fare', { exact: true })
    await name.fill('taken')
    page.expectProblem(/status of 400/)
    await name.press('Enter')
    await name.and(page.locator('[aria-invalid]')).waitFor()
    expect(await page.accessibility()).toEqual([])
    await name.fill('Fair')
    await name.press('Enter')
    await dialog.getByRole('button', { name: 'Delete Fair', exact: true }).waitFor()
    expect((await api.tags.get(wrong!.id)).name).toBe('Fair')

    await dialog.getByRole('button', { name: 'Delete Fair', exact: true }).click()
    const question = page.getByRole('alertdialog', { name: 'Delete this tag?' })
    await question.getByText('“Fair” is removed from all campaigns, people and sending accounts').waitFor()
    expect(await page.accessibility()).toEqual([])
    await question.getByRole('button', { name: 'Delete', exact: true }).click()
    // The dialog is hidden from the search by role until the question is gone.
    await question.waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: 'Delete Fair', exact: true }).waitFor({ state: 'detached' })
    expect((await api.campaigns.get(campaign.id)).tagIds).toEqual([])
    // The focus stays in the dialog, although its button is gone.
    await page.locator('[role=dialog]:focus, [role=dialog] :focus').waitFor()
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByText('Campaign without tags', { exact: true }).waitFor()
  })
})
