import { parentPort, workerData } from 'node:worker_threads'
import type { SuggestField } from '@overture/contract/lead-finder/lead-finder.ts'
import { SegmentBuilder, type SegmentData } from '@overture/people-index/records/columns.ts'
import type { Dataset } from '../store/finder-store.sql.ts'
import { withSource, type Source } from '../store/index-source.sql.ts'
import { LeadIndex, type SearchRequest } from '@overture/people-index/lead-index.ts'
import { readSnapshot, writeSnapshot } from '../store/snapshot.shell.ts'

export interface IndexWorkerData {
  databaseUrl: string
  /** The folder for snapshots. */
  folder: string
  /** Up to this number of people a change rebuilds the index at once. Above it, changes are kept in a delta. */
  rebuildPeopleMax: number
  /** A delta with more people than this causes a rebuild in another thread, which then replaces this one. */
  deltaPeopleMax: number
}

/** A replacing thread rebuilds this dataset before it reports that it is ready. */
export type IndexThreadData = IndexWorkerData & { rebuild: Dataset | null }

export type IndexCall = { id: number; dataset: Dataset; generation: string; version: number } & (
  | { type: 'search'; request: SearchRequest }
  | { type: 'suggest'; field: SuggestField; query: string; limit: number }
  | { type: 'status' }
)
/** The requested rebuild failed. The next call that finds the index outdated requests it again. */
export interface RebuildFailed {
  rebuildFailed: Dataset
}
export type IndexReply =
  | { id: number; result: unknown }
  | { id: number; error: string }
  | { outgrown: Dataset }
  | { ready: true }

interface HeldIndex {
  index: LeadIndex
  generation: string
  /** The version of the base, from which deltas count. */
  baseVersion: number
  version: number
}

const data = workerData as IndexThreadData
const held = new Map<Dataset, HeldIndex>()
const loading = new Map<Dataset, Promise<HeldIndex>>()
/** Datasets that another thread rebuilds. This thread answers from its present index until then. */
const outgrown = new Set<Dataset>()

if (data.rebuild !== null) {
  const dataset = data.rebuild
  await withSource(data.databaseUrl, (source) =>
    source.consistently(async () => keep(dataset, await rebuild(source, dataset))),
  )
  postReply({ ready: true })
}

parentPort!.on('message', (call: IndexCall | RebuildFailed) => {
  if ('rebuildFailed' in call) return void outgrown.delete(call.rebuildFailed)
  answer(call).then(
    (result) => postReply({ id: call.id, result }),
    (error: Error) => postReply({ id: call.id, error: error.message }),
  )
})

function postReply(reply: IndexReply): void {
  parentPort!.postMessage(reply)
}

async function answer(call: IndexCall): Promise<unknown> {
  const { index, version } = await current(call)
  switch (call.type) {
    case 'search':
      return { ...index.search(call.request), version }
    case 'suggest':
      return index.suggest(call.field, call.query, call.limit)
    case 'status':
      return { ...index.size, version }
    default:
      return call satisfies never
  }
}

// Only one load at a time per dataset. A call that needs a newer version than that load starts another one.
async function current(call: IndexCall): Promise<HeldIndex> {
  for (;;) {
    const known = held.get(call.dataset)
    const isSame = known?.generation === call.generation
    if (isSame && (known.version >= call.version || outgrown.has(call.dataset))) return known
    let load = loading.get(call.dataset)
    if (!load) {
      load = catchUp(call.dataset, call.generation).finally(() => loading.delete(call.dataset))
      loading.set(call.dataset, load)
    }
    const loaded = await load
    if (outgrown.has(call.dataset) || loaded.generation !== call.generation) return loaded
  }
}

async function catchUp(dataset: Dataset, generation: string): Promise<HeldIndex> {
  return withSource(data.databaseUrl, (source) =>
    source.consistently(async () => {
      const known = held.get(dataset) ?? (await fromSnapshot(dataset, generation))
      const now = await source.version(dataset)
      if (known && now && known.generation === now.generation) {
        if (known.version >= now.version) return keep(dataset, known)
        const changed = await applyChanges(source, dataset, { known, version: now.version })
        if (changed) return keep(dataset, changed)
      }
      return keep(dataset, await rebuild(source, dataset))
    }),
  )
}

async function fromSnapshot(dataset: Dataset, generation: string): Promise<HeldIndex | null> {
  const found = await readSnapshot(snapshotPath(dataset), generation)
  if (!found) return null
  return { index: new LeadIndex(found.data), generation, baseVersion: found.version, version: found.version }
}

async function applyChanges(
  source: Source,
  dataset: Dataset,
  to: { known: HeldIndex; version: number },
): Promise<HeldIndex | null> {
  const { known, version } = to
  if (known.index.size.people <= data.rebuildPeopleMax) return null
  const people = await source.changedPeople(dataset, known.baseVersion, data.deltaPeopleMax + 1)
  const companies = await source.changedCompanies(dataset, known.baseVersion, data.deltaPeopleMax + 1)
  const isTooMuch = people.length > data.deltaPeopleMax || companies.length > data.deltaPeopleMax
  if (isTooMuch || companies.some((company) => known.index.hasCompany(company.number))) {
    outgrown.add(dataset)
    postReply({ outgrown: dataset })
    return known
  }
  const fresh = new Set(companies.map((company) => company.id))
  const needed = [...new Set(people.flatMap((person) => person.companyId ?? []))].filter((id) => !fresh.has(id))
  const copies = await source.companiesById(dataset, needed)
  const builder = new SegmentBuilder()
  const numbers = new Map<string, number>()
  for (const company of [...companies, ...copies]) {
    numbers.set(company.id, company.number)
    builder.addCompany(company)
  }
  for (const person of people) {
    if (!person.erased) builder.addPerson({ ...person, companyNumber: numbers.get(person.companyId ?? '') ?? null })
  }
  known.index.applyDelta({
    data: builder.finish(),
    removedPeople: people.map((person) => person.number),
    copiedCompanies: copies.map((company) => company.number),
  })
  return { ...known, version }
}

async function rebuild(source: Source, dataset: Dataset): Promise<HeldIndex> {
  const stamp = await source.version(dataset)
  if (!stamp) throw new Error(`dataset ${dataset} is not there`)
  const segment = await readSegment(source, dataset)
  // Without its snapshot the index is rebuilt at the next start, so a failed write is no reason to refuse a search.
  await writeSnapshot(snapshotPath(dataset), segment, stamp).catch(() => undefined)
  return {
    index: new LeadIndex(segment),
    generation: stamp.generation,
    baseVersion: stamp.version,
    version: stamp.version,
  }
}

async function readSegment(source: Source, dataset: Dataset): Promise<SegmentData> {
  const builder = new SegmentBuilder()
  const numbers = new Map<string, number>()
  await source.eachCompany(dataset, -1, (company) => {
    numbers.set(company.id, company.number)
    builder.addCompany(company)
  })
  await source.eachPerson(dataset, -1, (person) => {
    if (!person.erased) builder.addPerson({ ...person, companyNumber: numbers.get(person.companyId ?? '') ?? null })
  })
  return builder.finish()
}

function keep(dataset: Dataset, fresh: HeldIndex): HeldIndex {
  held.set(dataset, fresh)
  return fresh
}

function snapshotPath(dataset: Dataset): string {
  return `${data.folder}/people-${dataset}.index`
}
