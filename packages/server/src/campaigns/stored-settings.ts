import { defaultPrivacySettings } from '@overture/contract/campaigns/privacy-settings.ts'

/** Reads the settings of a campaign. Settings that were stored before a field existed get its default. */
export const settingsColumn = `'${JSON.stringify(defaultPrivacySettings)}'::jsonb || settings as settings`
