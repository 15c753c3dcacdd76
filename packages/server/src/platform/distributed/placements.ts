/** The location of a table's rows, in a database on several servers. */
export type Placement = 'account' | 'reference' | 'local'

/** The column that decides on which server the rows of an account are. `firstTable` is the table that the others are colocated with. */
export const distributionColumn = 'account_id'
export const firstTable = 'accounts'

/** Tables with a copy on every server: they are read before the account is known, or rows of every account refer to them. */
const referenceTables = {
  api_keys: 'A request says its key and no account.',
  billing_customers: 'The payment provider says a subscription and no account.',
  inbox_workers: 'Mailboxes of every account refer to the worker that reads them.',
  meeting_availability: 'A booking link says a slug and no account.',
  sessions: 'A browser says its session and no account.',
  user_links: 'A link of a mail says its secret and no account.',
} as const

/** Tables without an account, on the coordinator. `event_epochs` is on each server, with its own row. */
const localTables = [
  'api_nodes',
  'event_epochs',
  'event_looks',
  'finder_companies',
  'finder_datasets',
  'finder_people',
  'finder_provider_usage',
  'finder_scroll_tokens',
  'mailbox_counts',
  'schema_migrations',
  'settings',
  'sign_in_attempts',
  'stripe_ended_subscriptions',
  'stripe_events',
] as const

/** Tables whose rows are all on the server of their account. */
const accountTables = [
  'accounts',
  'address_checks',
  'audit_entries',
  'audit_seals',
  'audit_unsealed',
  'campaign_days',
  'campaign_domain_days',
  'campaigns',
  'claims',
  'contact_policies',
  'contacts',
  'credit_balances',
  'credit_ledger',
  'credit_reservations',
  'decisions',
  'dmarc_reports',
  'dmarc_sources',
  'erasures',
  'event_places',
  'events',
  'exchanges',
  'finder_reveals',
  'finder_searches',
  'former_leads',
  'former_messages',
  'generations',
  'idempotency_keys',
  'import_rows',
  'imports',
  'jobs',
  'lead_profiles',
  'lead_progress',
  'mailbox_folders',
  'mailboxes',
  'meeting_notices',
  'meetings',
  'message_contents',
  'message_heads',
  'monthly_usage',
  'oauth_states_used',
  'people',
  'planning',
  'prompt_presets',
  'rate_windows',
  'recipient_domains',
  'sandbox_clocks',
  'sandbox_messages',
  'sandbox_runs',
  'sender_days',
  'sending_accounts',
  'set_aside_messages',
  'signals',
  'stat_quarter_hours',
  'stat_totals',
  'stat_variants',
  'step_drafts',
  'steps',
  'stripe_sessions',
  'suppressions',
  'templates',
  'tenant_connections',
  'test_messages',
  'threads',
  'users',
  'variants',
  'verification_addresses',
  'verifications',
  'webhook_deliveries',
  'webhooks',
] as const

/** The placement of every table of the schema. */
export const placements: ReadonlyMap<string, Placement> = new Map<string, Placement>([
  ...Object.keys(referenceTables).map((table) => [table, 'reference'] as const),
  ...localTables.map((table) => [table, 'local'] as const),
  ...accountTables.map((table) => [table, 'account'] as const),
])
