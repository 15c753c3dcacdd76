import { z } from 'zod'
import { privacyNotices, trackingModes } from '../vocabularies.ts'

const trackingMode = z.enum(trackingModes).meta({
  id: 'TrackingMode',
  description:
    'Which leads `openTracking` and `linkTracking` apply to: `on` all leads, `by_consent` only leads with ' +
    '`trackingConsent: true`, `off` no lead. Opens and clicks of other leads are not recorded, also from messages that were ' +
    'sent before.',
})
export type TrackingMode = z.infer<typeof trackingMode>

const privacyNotice = z.enum(privacyNotices).meta({
  id: 'PrivacyNoticeForm',
  description:
    'The notice about the data of a person (GDPR Art. 14) in the first message. Leads in the European Economic Area, the United ' +
    'Kingdom or Switzerland get it, and leads whose country is unknown. `link` names the source of the data and ' +
    '`privacyUrl` of the account. `text` also names purpose, basis, rights and `privacyContact`.',
})
export type PrivacyNoticeForm = z.infer<typeof privacyNotice>

/** The settings of a campaign that the law of a recipient's country concerns. */
export const privacySettings = { tracking: trackingMode, privacyNotice }

/** The values of campaigns that were stored before these settings existed. */
export const defaultPrivacySettings: { tracking: TrackingMode; privacyNotice: PrivacyNoticeForm } = {
  tracking: 'on',
  privacyNotice: 'off',
}

/** Whether a campaign may track a lead's opens and clicks. */
export function mayTrack(tracking: TrackingMode, consent: boolean | null): boolean {
  return tracking === 'on' || (tracking === 'by_consent' && consent === true)
}
