import { expect, test } from 'vitest'
import { nameGroups } from './group-names.ts'

const campaign = (id: string, name: string, launchedAt: string | null) => ({
  id,
  name,
  launchedAt,
  createdAt: '2027-01-04T09:00:00.000Z',
  steps: [{ id: `stp_${id}`, position: 2, variants: [{ id: `var_${id}`, label: 'B' }] }],
})

test('groups have the names of their objects, and equal names are told apart by their start, else by their id', () => {
  const names = nameGroups({
    campaigns: [
      campaign('cmp_1', 'Spring', '2027-03-01T23:30:00.000Z'),
      campaign('cmp_2', 'Spring', null),
      campaign('cmp_3', 'Twins', null),
      campaign('cmp_4', 'Twins', null),
      campaign('cmp_5', 'Summer', null),
    ],
    senders: [{ id: 'snd_1', email: 'ada@sender.test' }],
    zone: 'Europe/Berlin',
  })
  expect(Object.fromEntries(names)).toMatchObject({
    snd_1: 'ada@sender.test',
    cmp_1: 'Spring (started 2 Mar 2027)',
    cmp_2: 'Spring (created 4 Jan 2027)',
    cmp_3: 'Twins (cmp_3)',
    cmp_4: 'Twins (cmp_4)',
    cmp_5: 'Summer',
    stp_cmp_5: 'Summer, step 2',
    var_cmp_5: 'Summer, step 2, B',
    stp_cmp_2: 'Spring (created 4 Jan 2027), step 2',
  })
})
