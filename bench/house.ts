import { runHouse } from '@overture/testing/house/house-run.ts'

/**
 * Simulates a whole company on one machine (bench/README.md): `npm run bench -- house`. OVERTURE_HOUSE_PART is the share of the full
 * size (1: 200 accounts, 5,000 mailboxes, 5,000,000 leads). OVERTURE_HOUSE_MINUTES is the length of the day (default 30). With
 * OVERTURE_HOUSE_PROCESSES=2 a separate process serves requests.
 */
export async function benchHouse(): Promise<void> {
  const part = Number(process.env['OVERTURE_HOUSE_PART'] ?? 1)
  const of = (whole: number): number => Math.max(1, Math.round(whole * part))
  const size = {
    accounts: of(200),
    campaigns: of(500),
    mailboxes: of(5_000),
    leads: of(5_000_000),
    daySeconds: Number(process.env['OVERTURE_HOUSE_MINUTES'] ?? 30) * 60,
    messagesPerMailbox: 40,
    requestsPerSecond: 50,
    answerEvery: 50,
    isApart: process.env['OVERTURE_HOUSE_PROCESSES'] === '2',
  }
  const day = await runHouse(size, (text) => process.stderr.write(`\r${text.padEnd(60)}`))
  process.stdout.write(`\n${JSON.stringify({ size, day }, null, 2)}\n`)
}
