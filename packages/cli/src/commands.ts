import type { Command } from 'commander'

interface LazyCommand {
  description: string
  /** Imports the code of the command when it is needed; that may be all of the server. */
  load(): Promise<(program: Command) => void>
}

/** Every command by its first word. */
export const commands: Readonly<Record<string, LazyCommand>> = {
  start: {
    description: 'Start the server, with its own PostgreSQL unless DATABASE_URL is set',
    load: async () => (await import('./operator/start.ts')).registerStart,
  },
  accounts: {
    description: 'Accounts, their limits and plans',
    load: async () => (await import('./operator/accounts.ts')).registerAccounts,
  },
  keys: { description: 'API keys', load: async () => (await import('./operator/keys.ts')).registerKeys },
  users: {
    description: 'Users of accounts: invite, list, disable, reset passwords',
    load: async () => (await import('./operator/users.ts')).registerUsers,
  },
  audit: {
    description: 'The audit log: verify, export',
    load: async () => (await import('./operator/audit.ts')).registerAudit,
  },
  credits: {
    description: 'Credits of accounts',
    load: async () => (await import('./operator/credits.ts')).registerCredits,
  },
  finder: {
    description: 'The people database',
    load: async () => (await import('./operator/finder.ts')).registerFinder,
  },
  migrate: {
    description: 'Migrate the database to this release',
    load: async () => (await import('./operator/database.ts')).registerMigrate,
  },
  distribute: {
    description: 'Distribute the accounts of a database over the servers of Citus',
    load: async () => (await import('./operator/distribute.ts')).registerDistribute,
  },
  backup: {
    description: 'Back up the whole database to a file',
    load: async () => (await import('./operator/backup.ts')).registerBackup,
  },
  restore: {
    description: 'Restore a backup into an empty database. Live mail is held until you resume it',
    load: async () => (await import('./operator/backup.ts')).registerRestore,
  },
  config: {
    description: 'What is set, and where it comes from',
    load: async () => (await import('./operator/config.ts')).registerConfig,
  },
  doctor: {
    description: 'Check the installation, and say how to fix problems',
    load: async () => (await import('./operator/database.ts')).registerDoctor,
  },
  secrets: {
    description: 'Encrypted credentials and tokens',
    load: async () => (await import('./operator/secrets.ts')).registerSecrets,
  },
  mail: {
    description: 'How the inbox classifies raw messages',
    load: async () => (await import('./operator/mail-inspect.ts')).registerMail,
  },
  inbox: {
    description: 'Messages in mailboxes that could not be read',
    load: async () => (await import('./operator/inbox.ts')).registerInbox,
  },
  demo: {
    description: 'Run a three-week campaign in the test environment in seconds, and draw its results',
    load: async () => (await import('./demo/demo.ts')).registerDemo,
  },
  login: {
    description: 'Store an API key for the commands that use a server',
    load: async () => (await import('./client/login.ts')).registerLogin,
  },
  api: {
    description: 'Call an operation, such as campaigns.get cmp_…',
    load: async () => (await import('./client/api.ts')).registerApi,
  },
  leads: {
    description: 'Leads of campaigns: add the rows of a CSV file',
    load: async () => (await import('./client/leads.ts')).registerLeads,
  },
  mailboxes: {
    description: 'Mailboxes of connected organizations: add those of a CSV file',
    load: async () => (await import('./client/mailboxes.ts')).registerMailboxes,
  },
  lists: {
    description: 'Lists of people outside of campaigns: import',
    load: async () => (await import('./client/lists.ts')).registerLists,
  },
  suppressions: {
    description: 'Suppression lists: import a CSV file',
    load: async () => (await import('./client/suppressions.ts')).registerSuppressions,
  },
  rehearse: {
    description: 'Run a campaign in the test environment, and compare its statistics with expected ranges',
    load: async () => (await import('./rehearse/rehearse.ts')).registerRehearse,
  },
  'move-from': {
    description: 'Move in from instantly, smartlead, lemlist: opt-outs first, campaigns as drafts',
    load: async () => (await import('./client/move-from.ts')).registerMoveFrom,
  },
  events: {
    description: 'Print events as they happen',
    load: async () => (await import('./client/events.ts')).registerEvents,
  },
  listen: {
    description: 'Send each new event, signed like a webhook, to a program on this machine',
    load: async () => (await import('./client/events.ts')).registerListen,
  },
  trigger: {
    description: 'Send a sample of an event to a webhook',
    load: async () => (await import('./client/events.ts')).registerTrigger,
  },
  repair: {
    description: 'Repair data that an earlier release stored',
    load: async () => (await import('./operator/repair.ts')).registerRepair,
  },
  'resume-after-restore': {
    description: 'Resume live mail after a failover or a restore',
    load: async () => (await import('./operator/resume.ts')).registerResume,
  },
  'hold-sending': {
    description: 'Hold live mail until resume-after-restore',
    load: async () => (await import('./operator/resume.ts')).registerHold,
  },
  mcp: {
    description: 'Serve Overture to an assistant over standard input and output (Model Context Protocol)',
    load: async () => (await import('./client/mcp.ts')).registerMcp,
  },
  completion: {
    description: 'Print a script that completes commands in bash, zsh or fish',
    load: async () => (await import('./completion.ts')).registerCompletion,
  },
}
