import { deleteOldGenerations, listOldGenerationsAcrossAccounts } from '../ai/generations/old-generations.sql.ts'
import { deleteOldKeys, listOldKeysAcrossAccounts } from '../api-keys/old-keys.sql.ts'
import { deleteOldPaymentEvents } from '../billing/payment-events.sql.ts'
import { deleteOldImportRows, listOldImportRowsAcrossAccounts } from '../platform/imports/old-rows.sql.ts'
import {
  deleteOldContacts,
  deleteOldExchanges,
  listOldContactsAcrossAccounts,
  listOldExchangesAcrossAccounts,
} from '../contact-policy/old-contacts.sql.ts'
import {
  deleteOldCampaignDays,
  deleteOldCampaignDomainDays,
  deleteOldContents,
  deleteOldSenderDays,
  listOldCampaignDaysAcrossAccounts,
  listOldCampaignDomainDaysAcrossAccounts,
  listOldContentsAcrossAccounts,
  listOldSenderDaysAcrossAccounts,
} from '../delivery/record/retention.sql.ts'
import {
  deleteOldRecipientDomains,
  deleteOldReports,
  deleteOldSources,
  listOldRecipientDomainsAcrossAccounts,
  listOldReportsAcrossAccounts,
  listOldSourcesAcrossAccounts,
} from '../deliverability/old-reports.sql.ts'
import { deleteOldExports, listOldExportsAcrossAccounts } from '../exports/old-exports.sql.ts'
import { deleteOldRuns, listOldRunsAcrossAccounts } from '../reports/runs.sql.ts'
import { exportDays } from '@overture/contract/exports/exports.ts'
import { dayMs, hourMs } from '@overture/ground/time/spans.ts'
import {
  deleteOldScrollTokens,
  deleteOldSearches,
  listOldSearchesAcrossAccounts,
} from '../lead-finder/lead-finder.sql.ts'
import type { Config } from '../platform/config.ts'
import { forgetByAccount } from '../platform/lifecycle/forget.ts'
import {
  deleteOldPlacementResults,
  deleteOldPlacementTests,
  listOldPlacementResultsAcrossAccounts,
  listOldPlacementTestsAcrossAccounts,
} from '../placement/old-placement.sql.ts'
import { deleteOldBudgetDays, listOldBudgetDaysAcrossAccounts } from '../sending-accounts/budgets/old-budgets.sql.ts'
import type { Executor } from '../platform/db/database.ts'
import { deleteOldJobs, listOldJobsAcrossAccounts } from '../platform/jobs/dead-jobs.sql.ts'
import type { PeriodicTask } from '../platform/lifecycle/polling.worker.ts'
import { deleteOldSignals, listOldSignalsAcrossAccounts } from '../signals/old-signals.sql.ts'
import {
  deleteOldAddressChecks,
  deleteOldVerifications,
  deleteOldVerifiedAddresses,
  listOldAddressChecksAcrossAccounts,
  listOldVerificationsAcrossAccounts,
  listOldVerifiedAddressesAcrossAccounts,
} from '../verification/old-verifications.sql.ts'
import { deleteOldSandboxMessages, listOldSandboxMessagesAcrossAccounts } from '../sandbox/old-messages.sql.ts'

const deletedAtOnce = 10_000

interface Retention {
  name: string
  /** The tables from which it deletes. */
  tables: readonly string[]
  days: number | ((config: Config) => number)
  /** Deletes the oldest rows, at most `limit` per table, and returns the number. It is called again while it returns `limit`. */
  forget: (db: Executor, before: Date, limit: number) => Promise<number>
}

const dayTables = [
  forgetByAccount(listOldSenderDaysAcrossAccounts, deleteOldSenderDays),
  forgetByAccount(listOldCampaignDaysAcrossAccounts, deleteOldCampaignDays),
  forgetByAccount(listOldCampaignDomainDaysAcrossAccounts, deleteOldCampaignDomainDays),
  forgetByAccount(listOldBudgetDaysAcrossAccounts, deleteOldBudgetDays),
]

async function forgetDays(db: Executor, before: Date, limit: number): Promise<number> {
  let most = 0
  for (const forget of dayTables) most = Math.max(most, await forget(db, before, limit))
  return most
}

/** Rows that are deleted by age, and after how many days (0: never). See docs/sizing.md, "What grows". */
export const retentions: readonly Retention[] = [
  { name: 'jobs', tables: ['jobs'], days: 30, forget: forgetByAccount(listOldJobsAcrossAccounts, deleteOldJobs) },
  { name: 'stripe_events', tables: ['stripe_events'], days: 90, forget: deleteOldPaymentEvents },
  {
    name: 'days',
    tables: ['sender_days', 'campaign_days', 'campaign_domain_days', 'budget_days'],
    days: 40,
    forget: forgetDays,
  },
  {
    name: 'import_rows',
    tables: ['import_rows'],
    days: 90,
    forget: forgetByAccount(listOldImportRowsAcrossAccounts, deleteOldImportRows),
  },
  {
    name: 'generations',
    tables: ['generations'],
    days: 400,
    forget: forgetByAccount(listOldGenerationsAcrossAccounts, deleteOldGenerations),
  },
  {
    name: 'signals',
    tables: ['signals'],
    days: 400,
    forget: forgetByAccount(listOldSignalsAcrossAccounts, deleteOldSignals),
  },
  {
    name: 'exports',
    tables: ['exports', 'export_files', 'export_chunks'],
    days: exportDays,
    forget: forgetByAccount(listOldExportsAcrossAccounts, deleteOldExports),
  },
  {
    name: 'report_runs',
    tables: ['report_runs', 'report_deliveries'],
    days: 400,
    forget: forgetByAccount(listOldRunsAcrossAccounts, deleteOldRuns),
  },
  {
    name: 'verifications',
    tables: ['verifications'],
    days: 90,
    forget: forgetByAccount(listOldVerificationsAcrossAccounts, deleteOldVerifications),
  },
  {
    name: 'verification_addresses',
    tables: ['verification_addresses'],
    days: 90,
    forget: forgetByAccount(listOldVerifiedAddressesAcrossAccounts, deleteOldVerifiedAddresses),
  },
  {
    name: 'address_checks',
    tables: ['address_checks'],
    days: 90,
    forget: forgetByAccount(listOldAddressChecksAcrossAccounts, deleteOldAddressChecks),
  },
  {
    name: 'dmarc_reports',
    tables: ['dmarc_reports'],
    days: 400,
    forget: forgetByAccount(listOldReportsAcrossAccounts, deleteOldReports),
  },
  {
    name: 'dmarc_sources',
    tables: ['dmarc_sources'],
    days: 400,
    forget: forgetByAccount(listOldSourcesAcrossAccounts, deleteOldSources),
  },
  {
    name: 'placement_tests',
    tables: ['placement_tests'],
    days: 400,
    forget: forgetByAccount(listOldPlacementTestsAcrossAccounts, deleteOldPlacementTests),
  },
  {
    name: 'placement_results',
    tables: ['placement_results'],
    days: 400,
    forget: forgetByAccount(listOldPlacementResultsAcrossAccounts, deleteOldPlacementResults),
  },
  {
    name: 'recipient_domains',
    tables: ['recipient_domains'],
    days: 30,
    forget: forgetByAccount(listOldRecipientDomainsAcrossAccounts, deleteOldRecipientDomains),
  },
  {
    name: 'contacts',
    tables: ['contacts'],
    days: 400,
    forget: forgetByAccount(listOldContactsAcrossAccounts, deleteOldContacts),
  },
  {
    name: 'exchanges',
    tables: ['exchanges'],
    days: 400,
    forget: forgetByAccount(listOldExchangesAcrossAccounts, deleteOldExchanges),
  },
  {
    name: 'api_keys',
    tables: ['api_keys', 'rate_windows'],
    days: 400,
    forget: forgetByAccount(listOldKeysAcrossAccounts, deleteOldKeys),
  },
  {
    name: 'finder_searches',
    tables: ['finder_searches'],
    days: 2,
    forget: forgetByAccount(listOldSearchesAcrossAccounts, deleteOldSearches),
  },
  { name: 'finder_scroll_tokens', tables: ['finder_scroll_tokens'], days: 30, forget: deleteOldScrollTokens },
  {
    name: 'sandbox_messages',
    tables: ['sandbox_messages'],
    days: 90,
    forget: forgetByAccount(listOldSandboxMessagesAcrossAccounts, deleteOldSandboxMessages),
  },
  {
    name: 'message_contents',
    tables: ['message_contents'],
    days: (config) => config.messageRetentionDays,
    forget: forgetByAccount(listOldContentsAcrossAccounts, deleteOldContents),
  },
]

/** Repeats until nothing is left: more rows than one statement deletes may have become old since the last run. */
export const retentionPeriodic: readonly PeriodicTask[] = retentions.map(({ name, days, forget }) => ({
  name: `retention.${name}`,
  everyMs: hourMs,
  async run({ db, config }, now) {
    const daysKept = typeof days === 'number' ? days : days(config)
    if (daysKept === 0) return
    const before = new Date(now.getTime() - daysKept * dayMs)
    for (let gone = deletedAtOnce; gone === deletedAtOnce;) gone = await forget(db, before, deletedAtOnce)
  },
}))
