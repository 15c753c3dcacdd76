import { benchDecisions } from './decisions.ts'
import { benchEngine } from './engine.ts'
import { benchGrowth } from './growth/run.ts'
import { benchHouse } from './house.ts'
import { benchLeads } from './leads.ts'
import { benchListMembers } from './list-members.ts'
import { benchLists } from './lists.ts'
import { benchMailboxes } from './mailboxes.ts'
import { benchPlanning } from './planning.ts'
import { benchRoute } from './route.ts'
import { openStage } from './stage.ts'
import { benchStorage } from './storage.ts'
import { benchSuppressionLists } from './suppression-lists.ts'
import { benchVerification } from './verification.ts'
import { benchVirtualDays } from './virtual-days.ts'
import { benchWebhooks } from './webhooks.ts'
import { benchWorkbooks } from './workbooks.ts'

/**
 * Prints ratios, each measured in one run on this machine: `npm run bench` for all, or `npm run bench -- a c` for some.
 * OVERTURE_BENCH_STORED is the largest number of stored leads in (c), OVERTURE_BENCH_ROWS the number of rows that (e) imports. With
 * OVERTURE_BENCH_BUILT (e) imports into the output of `npm run build`. OVERTURE_BENCH_MAILBOXES is the number of stored mailboxes. The
 * numbers of rows are OVERTURE_BENCH_SUPPRESSIONS for a suppression list, OVERTURE_BENCH_VERIFIED for verified addresses,
 * OVERTURE_BENCH_MEMBERS for the members of a list, and OVERTURE_BENCH_WORKBOOK_ROWS for an Excel workbook.
 */
const names = process.argv.slice(2)
const wanted = (name: string): boolean => names.length === 0 || names.includes(name)
const storedMost = Number(process.env.OVERTURE_BENCH_STORED ?? 1_000_000)

// This benchmark has its own database and takes longer than all others together.
if (names.includes('house')) await benchHouse()
// This benchmark needs no database.
if (names.includes('growth')) await benchGrowth()
if (names.length > 0 && names.every((name) => name === 'house' || name === 'growth')) process.exit(0)

const stage = await openStage()
try {
  if (wanted('a')) await benchEngine(stage)
  if (wanted('b')) await benchRoute(stage)
  if (wanted('c')) await benchPlanning(stage, storedMost)
  if (wanted('d')) await benchLeads(stage)
  if (wanted('e')) await benchLists(stage)
  if (wanted('decisions')) await benchDecisions(stage, Number(process.env.OVERTURE_BENCH_DECISIONS ?? 10_000))
  if (wanted('list-members')) await benchListMembers(stage, Number(process.env.OVERTURE_BENCH_MEMBERS ?? 1_000_000))
  if (wanted('mailboxes')) await benchMailboxes(stage, Number(process.env.OVERTURE_BENCH_MAILBOXES ?? 100_000))
  if (wanted('storage')) await benchStorage(stage)
  if (wanted('suppression-lists'))
    await benchSuppressionLists(stage, Number(process.env.OVERTURE_BENCH_SUPPRESSIONS ?? 1_000_000))
  if (wanted('verification')) await benchVerification(stage, Number(process.env.OVERTURE_BENCH_VERIFIED ?? 100_000))
  if (wanted('virtual-days')) await benchVirtualDays(stage)
  if (wanted('webhooks')) await benchWebhooks(stage)
  if (wanted('workbooks')) await benchWorkbooks(stage, Number(process.env.OVERTURE_BENCH_WORKBOOK_ROWS ?? 200_000))
} finally {
  await stage.close()
}
