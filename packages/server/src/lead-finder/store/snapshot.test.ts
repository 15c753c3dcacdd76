import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SegmentBuilder } from '@overture/people-index/records/columns.ts'
import { LeadIndex, type SearchRequest } from '@overture/people-index/lead-index.ts'
import { readSnapshot, writeSnapshot } from './snapshot.shell.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'snapshot-'))
})
afterEach(() => rm(folder, { recursive: true }))

function segment() {
  const builder = new SegmentBuilder()
  const place = { city: 'São Paulo', state: '', country: 'Brazil' }
  builder.addCompany({
    number: 4,
    name: 'Acme',
    domain: 'acme.example',
    industry: 'Retail',
    employees: 7,
    place,
    technologies: ['SAP'],
    funding: 'seed',
    revenue: 1_500_000,
    jobPostings: 3,
    hiringTitles: ['Engineer'],
  })
  for (let number = 1; number <= 33; number++) {
    builder.addPerson({
      number,
      rank: number % 3,
      title: 'CTO',
      seniority: 'c_suite',
      department: null,
      place,
      companyNumber: 4,
      years: 5,
      roleDay: 100,
      companyDay: null,
    })
  }
  return builder.finish()
}

describe('a snapshot', () => {
  test('restores the same index', async () => {
    const path = join(folder, 'a.index')
    const data = segment()
    await writeSnapshot(path, data, { generation: 'g', version: 7 })
    const read = await readSnapshot(path, 'g')
    expect(read).toEqual({ data, version: 7 })
    const request: SearchRequest = {
      kind: 'people',
      filters: { technology: ['sap'], years: { min: 5, max: 5 } },
      page: 2,
    }
    expect(new LeadIndex(read!.data).search(request)).toEqual(new LeadIndex(data).search(request))
  })

  test('is refused if it is damaged, of another store, or missing', async () => {
    const path = join(folder, 'a.index')
    await writeSnapshot(path, segment(), { generation: 'g', version: 7 })
    expect(await readSnapshot(path, 'other')).toBeNull()
    expect(await readSnapshot(join(folder, 'none'), 'g')).toBeNull()
    const bytes = await readFile(path)
    bytes[bytes.length - 100]! ^= 1
    await writeFile(path, bytes)
    expect(await readSnapshot(path, 'g')).toBeNull()
    await truncate(path, 200)
    expect(await readSnapshot(path, 'g')).toBeNull()
    await truncate(path, 0)
    expect(await readSnapshot(path, 'g')).toBeNull()
  })
})
