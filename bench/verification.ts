import { verificationTools } from '@overture/server/composition/slice-wiring.ts'
import { runDueJobs } from '@overture/server/platform/jobs/run-due-jobs.shell.ts'
import { createVerification, verificationJobs } from '@overture/server/verification/index.ts'
import {
  insertTestAccount,
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { startDnsDouble } from '@overture/testing/mail/dns-double.server.ts'
import { line, measure, type Stage } from './stage.ts'

const secondsMax = 60
const leadsPerDomain = 10

/**
 * Verifies the leads of a campaign by rules alone, with a local name server. Leads of a domain follow each other rarely, so that a batch
 * has as many domains as addresses. The aim is 60 seconds for 100,000 addresses.
 */
export async function benchVerification({ app: staged }: Stage, leads: number): Promise<void> {
  const domains = Array.from({ length: leads / leadsPerDomain }, (_, at) => `company${at}.test`)
  const dns = await startDnsDouble({ MX: Object.fromEntries(domains.map((name) => [name, [`10 mx.${name}`]])) })
  const network = { ...staged.config.network, dnsServers: [dns.server] }
  const app = { ...staged, config: { ...staged.config, network } }
  try {
    const tenant = await insertTestAccount(app.db)
    const senderId = await insertTestSender(app.db, tenant, { port: 1 })
    const { id: campaignId } = await insertTestCampaign(app.db, tenant, { senderIds: [senderId] })
    await insertTestLeads(app.db, tenant, { campaignId, count: leads, dueAt: app.clock.now() })
    await app.db.execute(
      `update lead_profiles set email = split_part(email, '@', 1) || '@company' || substring(id from 6)::int % $2 || '.test'
       where account_id = $1`,
      [tenant.accountId, domains.length],
    )
    await app.db.execute('analyze')
    const { id } = await app.db.transaction((tx) =>
      createVerification(tx, tenant, { campaignId, now: app.clock.now() }),
    )
    let runs = 0
    const { seconds, cpuSeconds } = await measure(async () => {
      for (let ran = 1; ran > 0; runs++)
        ran = await runDueJobs(app, tenant, app.clock.now(), verificationJobs(verificationTools))
    })
    const [done] = await app.db.query<{ status: string; total: number }>(
      'select status, total from verifications where account_id = $1 and id = $2',
      [tenant.accountId, id],
    )
    if (done?.status !== 'completed' || done.total !== leads) throw new Error(JSON.stringify(done))
    line(
      `verify ${leads} addresses by rules: seconds against ${secondsMax}`,
      seconds / secondsMax,
      `${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of CPU with the name server, ${dns.asked.length} questions`,
    )
  } finally {
    await dns.stop()
  }
}
