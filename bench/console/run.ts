import { startDnsDouble } from '@overture/testing/mail/dns-double.server.ts'
import { buildConsole } from '@overture/testing/console/console.ts'
import { findAndIntegrate } from './find-and-integrate.ts'
import { firstRun, realMailbox } from './first-run.ts'
import { startProduct } from './product.ts'
import { Results } from './results.ts'
import { triageAndWhy } from './triage.ts'
import { watch } from './watch.ts'
import { importAndWrite, reviewAndLaunch } from './write-and-launch.ts'

/** Measures the clicks and seconds of a day's jobs at the console: `node --import tsx bench/console/run.ts`. */
await buildConsole()
const dns = await startDnsDouble({})
const product = await startProduct({ OVERTURE_ALLOW_PRIVATE_TARGETS: '1', OVERTURE_DNS_SERVERS: dns.server })
const results = new Results()
try {
  await firstRun(product, results)
  await realMailbox(product, dns, results)
  await importAndWrite(product, results)
  await reviewAndLaunch(product, results)
  await watch(product, results)
  await triageAndWhy(product, results)
  await findAndIntegrate(product, results)
} finally {
  results.print()
  await product.stop()
  await dns.stop()
}
