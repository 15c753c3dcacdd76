import { z } from 'zod'
import { trackingModes } from '../vocabularies.ts'

const trackingMode = z.enum(trackingModes).meta({
  id: 'TrackingMode',
  description:
    'Which leads `openTracking` and `linkTracking` apply to: `on` all leads, `by_consent` only leads with ' +
    '`trackingConsent: true`, `off` no lead. Opens and clicks of other leads are not recorded, also from messages that were ' +
    'sent before.',
})
export type TrackingMode = z.infer<typeof trackingMode>

/** The settings of a campaign that the law of a recipient's country concerns. */
export const privacySettings = { tracking: trackingMode }

/** The values of campaigns that were stored before these settings existed. */
export const defaultPrivacySettings: { tracking: TrackingMode } = { tracking: 'on' }

/** Whether a campaign may track a lead's opens and clicks. */
export function mayTrack(tracking: TrackingMode, consent: boolean | null): boolean {
  return tracking === 'on' || (tracking === 'by_consent' && consent === true)
}
