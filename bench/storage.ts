import {
  insertTestAccount,
  insertTestCampaign,
  insertTestSender,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { addLeads } from '../packages/server/src/campaigns/index.ts'
import type { Database } from '../packages/server/src/platform/db/database.ts'
import { firstStep, sendAll } from './engine.ts'
import { line, startSink, type Stage } from './stage.ts'

const shownBytesMin = 20
const leads = Number(process.env.OVERTURE_BENCH_STORED_LEADS ?? 20_000)
const perCall = 1000

/** Tables by kind of data. Indexes and out-of-line (TOAST) storage are included. */
const kinds = {
  lead: ['leads', 'lead_profiles', 'lead_progress'],
  person: ['people'],
  message: ['messages', 'message_heads', 'message_contents', 'claims'],
  conversation: ['threads'],
  event: ['events'],
}
type Kind = keyof typeof kinds

/** Measures the bytes on disk of leads with one message each, right after sending and after packing. */
export async function benchStorage(stage: Stage): Promise<void> {
  const { app } = stage
  const sink = await startSink()
  try {
    const tenant = await insertTestAccount(app.db)
    const senderId = await insertTestSender(app.db, tenant, { port: sink.port })
    const campaign = await insertTestCampaign(app.db, tenant, { senderIds: [senderId], steps: [firstStep] })
    for (let from = 0; from < leads; from += perCall) {
      const input = { leads: Array.from({ length: perCall }, (_, index) => lead(from + index)) }
      await app.db.transaction((tx) =>
        addLeads(tx, tenant, {
          campaignId: campaign.id,
          input: { ...input, onDuplicate: 'skip', skipIfInOtherCampaign: false },
          secrets: app.secrets,
          now: app.clock.now(),
        }),
      )
    }
    await app.db.execute('analyze')
    await sendAll(stage, tenant)
    const { accepted } = await sink.told()
    if (accepted !== leads) throw new Error(`The sink took ${accepted} of ${leads}.`)
    const counts = await countRows(app.db)
    const live = await bytesByKind(app.db)
    const lying = new Map((await listRelations(app.db)).map(({ name, bytes }) => [name, bytes]))
    await app.db.execute('vacuum full')
    const packed = await bytesByKind(app.db)
    for (const kind of Object.keys(kinds) as Kind[]) {
      const [a, b] = [live[kind] / counts[kind], packed[kind] / counts[kind]]
      line(`(storage) kB per ${kind}`, a / 1000, `${packedTo(b / 1000)}, ${counts[kind]} of them`)
    }
    const [all, allPacked] = [live, packed].map(
      (of) => Object.values(of).reduce((sum, bytes) => sum + bytes, 0) / leads,
    )
    line('(storage) kB per lead with all of these', all! / 1000, packedTo(allPacked! / 1000))
    for (const { name, bytes } of await listRelations(app.db))
      if (bytes / leads >= shownBytesMin)
        line(`(storage)   ${name}`, perLead(lying.get(name)), packedTo(perLead(bytes)))
  } finally {
    sink.stop()
  }
}

function perLead(bytes = 0): number {
  return bytes / leads / 1000
}

function packedTo(kilobytes: number): string {
  return `${kilobytes.toFixed(2)} packed`
}

function lead(index: number) {
  return {
    email: `Person.${index}@Acme${index % 500}.example.com`,
    firstName: 'Ada',
    lastName: 'Lovelace',
    jobTitle: 'Head of Engineering',
    company: 'Acme Analytical Engines',
    companyDomain: `acme${index % 500}.example.com`,
    country: 'United Kingdom',
    city: 'London',
    customVariables: { plan: 'pro' },
  }
}

async function bytesByKind(db: Database): Promise<Record<Kind, number>> {
  const rows = await db.query<{ name: string; bytes: number }>(
    `select coalesce((select p.relname from pg_inherits i join pg_class p on p.oid = i.inhparent
       where i.inhrelid = c.oid), c.relname) as name,
       pg_total_relation_size(c.oid)::float8 as bytes
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`,
  )
  const sumBytes = (tables: readonly string[]) =>
    rows.filter(({ name }) => tables.includes(name)).reduce((sum, { bytes }) => sum + bytes, 0)
  return Object.fromEntries(Object.entries(kinds).map(([kind, tables]) => [kind, sumBytes(tables)])) as Record<
    Kind,
    number
  >
}

/** Lists the size of each table, of its out-of-line storage and of each index. The monthly partitions of the event log count as one. */
function listRelations(db: Database): Promise<{ name: string; bytes: number }[]> {
  return db.query(
    `select regexp_replace(case when c.relkind = 't' then t.relname || ' out of line' else c.relname end, '_\\d{4}_\\d\\d', '') as name,
       sum(pg_relation_size(c.oid))::float8 as bytes
     from pg_class c left join pg_class t on t.reltoastrelid = c.oid
     where c.relkind in ('r', 'i', 't') and (c.relnamespace = 'public'::regnamespace or t.relnamespace = 'public'::regnamespace)
     group by 1 order by 2 desc`,
  )
}

async function countRows(db: Database): Promise<Record<Kind, number>> {
  const [row] = await db.query<Record<Kind, number>>(
    `select (select count(*)::int from leads) as lead, (select count(*)::int from people) as person,
       (select count(*)::int from messages) as message, greatest((select count(*)::int from threads), 1) as conversation,
       (select count(*)::int from events) as event`,
  )
  return row!
}
