import { useEnvironment, type Environment } from './platform/api/environment.tsx'

/** The paths of all pages in one environment. */
export function buildPaths(environment: Environment) {
  const root = `/app/${environment}`
  const campaign = (id: string) => `${root}/campaigns/${id}`
  return {
    home: root,
    inbox: `${root}/inbox`,
    conversation: (id: string) => `${root}/inbox/${id}`,
    campaigns: `${root}/campaigns`,
    campaign: (id: string, tab: CampaignTab = 'overview') => `${campaign(id)}/${tab}`,
    importLeads: (id: string) => `${campaign(id)}/leads/import`,
    lead: (id: string, leadId: string, tab: 'thread' | 'why' = 'thread') => `${campaign(id)}/leads/${leadId}/${tab}`,
    people: `${root}/people`,
    person: (id: string) => `${root}/people/${id}`,
    lists: `${root}/lists`,
    list: (id: string) => `${root}/lists/${id}`,
    erasures: `${root}/erasures`,
    finder: (tab: 'people' | 'companies' = 'people') => `${root}/finder/${tab}`,
    senders: `${root}/sending-accounts`,
    connectSender: `${root}/sending-accounts/connect`,
    organizations: `${root}/sending-accounts/organizations`,
    sender: (id: string) => `${root}/sending-accounts/${id}`,
    tasks: `${root}/tasks`,
    /** The page of tasks with the form of a new task for a lead. */
    addTask: (leadId: string) => `${root}/tasks?lead=${leadId}`,
    domains: `${root}/deliverability`,
    domain: (domain: string) => `${root}/deliverability/${domain}`,
    placementTests: `${root}/placement-tests`,
    placementTest: (id: string) => `${root}/placement-tests/${id}`,
    meetings: (tab: 'list' | 'availability' = 'list') => `${root}/meetings/${tab}`,
    templates: `${root}/templates`,
    analytics: `${root}/analytics`,
    reports: `${root}/reports`,
    report: (id: string) => `${root}/reports/${id}`,
    suppressions: `${root}/suppressions`,
    developers: (tab: DeveloperTab = 'keys') => `${root}/developers/${tab}`,
    webhook: (id: string) => `${root}/developers/webhooks/${id}`,
    /** The field of the account settings. It can only be changed in the live environment. */
    postalAddress: '/app/live/settings/account?field=postalAddress',
    settings: (tab: SettingsTab = 'account') => `${root}/settings/${tab}`,
  }
}

export const campaignTabs = [
  'overview',
  'steps',
  'leads',
  'senders',
  'schedule',
  'review',
  'texts',
  'analytics',
  'settings',
] as const
export type CampaignTab = (typeof campaignTabs)[number]
export const developerTabs = ['keys', 'webhooks', 'events', 'clock', 'mail'] as const
export type DeveloperTab = (typeof developerTabs)[number]
export const settingsTabs = ['account', 'contacts', 'seeds', 'team', 'profile', 'billing', 'export'] as const
export type SettingsTab = (typeof settingsTabs)[number]

export type Paths = ReturnType<typeof buildPaths>

export function usePaths(): Paths {
  return buildPaths(useEnvironment())
}
