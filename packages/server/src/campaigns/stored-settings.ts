import { defaultSettings } from '@overture/contract/campaigns/campaigns.ts'
import { defaultPrivacySettings } from '@overture/contract/campaigns/privacy-settings.ts'

const { providerMatching, replyDrafts, followsListId } = defaultSettings
const defaults = { ...defaultPrivacySettings, providerMatching, replyDrafts, followsListId }

/** Reads the settings of a campaign. Settings that were stored before a field existed get its default. */
export const settingsColumn = `'${JSON.stringify(defaults)}'::jsonb || settings as settings`
