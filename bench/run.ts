import { benchDecisions } from './decisions.ts'
import { benchEngine } from './engine.ts'
import { benchGrowth } from './growth/run.ts'
import { benchHouse } from './house.ts'
import { benchLeads } from './leads.ts'
import { benchLists } from './lists.ts'
import { benchMailboxes } from './mailboxes.ts'
import { benchPlanning } from './planning.ts'
import { benchRoute } from './route.ts'
import { openStage } from './stage.ts'
import { benchStorage } from './storage.ts'
import { benchVirtualDays } from './virtual-days.ts'
import { benchWebhooks } from './webhooks.ts'

/**
 * Prints ratios, each measured in one run on this machine: `npm run bench`, or `npm run bench -- a c` for some.
 * OVERTURE_BENCH_STORED sets how many leads (c) stores at most, OVERTURE_BENCH_ROWS how many rows (e) imports,
 * OVERTURE_BENCH_BUILT that it imports into what `npm run build` made, OVERTURE_BENCH_MAILBOXES how many mailboxes are stored.
 */
const asked = process.argv.slice(2)
const wanted = (name: string): boolean => asked.length === 0 || asked.includes(name)
const storedMost = Number(process.env.OVERTURE_BENCH_STORED ?? 1_000_000)

// The house has a database of its own, and takes longer than all others together.
if (asked.includes('house')) await benchHouse()
// Reading needs no database.
if (asked.includes('growth')) await benchGrowth()
if (asked.length > 0 && asked.every((name) => name === 'house' || name === 'growth')) process.exit(0)

const stage = await openStage()
try {
  if (wanted('a')) await benchEngine(stage)
  if (wanted('b')) await benchRoute(stage)
  if (wanted('c')) await benchPlanning(stage, storedMost)
  if (wanted('d')) await benchLeads(stage)
  if (wanted('e')) await benchLists(stage)
  if (wanted('decisions')) await benchDecisions(stage, Number(process.env.OVERTURE_BENCH_DECISIONS ?? 10_000))
  if (wanted('mailboxes')) await benchMailboxes(stage, Number(process.env.OVERTURE_BENCH_MAILBOXES ?? 100_000))
  if (wanted('storage')) await benchStorage(stage)
  if (wanted('virtual-days')) await benchVirtualDays(stage)
  if (wanted('webhooks')) await benchWebhooks(stage)
} finally {
  await stage.close()
}
