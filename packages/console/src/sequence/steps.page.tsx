import type { Campaign } from '@overture/sdk'
import { campaignActions } from '@overture/contract/vocabularies.ts'
import { useState } from 'react'
import { CampaignPage, useCampaigns } from '../campaigns/index.ts'
import { usePaths } from '../paths.ts'
import { FieldErrors, useFieldErrors } from '../platform/form/index.ts'
import { usePermissionReason } from '../platform/session/permission.ts'
import { numberText } from '../platform/time/format.ts'
import { Button, LinkButton, Note, Row, Unsaved } from '../platform/ui/index.ts'
import { Apply } from './apply.panel.tsx'
import { text as branchText } from './branches/branches.messages.ts'
import { isAllKept, useAutosave } from './autosave.actions.ts'
import { ChangedElsewhere } from './changed-elsewhere.tsx'
import { useNeverHolds, useTextCheck } from './check.queries.ts'
import { PictureView, useIsPicture, ViewSwitch } from './picture/view-switch.tsx'
import { usePreviewLead } from './preview-lead.queries.ts'
import { PreviewSide } from './preview.panel.tsx'
import { SaveNote } from './save-note.tsx'
import { buildSequenceView } from './sequence-view.ts'
import { text } from './sequence.messages.ts'
import styles from './sequence.module.css'
import { placeIn, StepList, type Place } from './step-list.panel.tsx'
import { useUndo } from './undo.ts'

/** Steps, waits and variants, with a live preview for a real lead beside them. */
export function StepsPage() {
  return (
    <CampaignPage tab="steps" wide>
      {(campaign) => <Sequence key={campaign.id} campaign={campaign} />}
    </CampaignPage>
  )
}

function Sequence({ campaign }: { campaign: Campaign }) {
  const saving = useAutosave(campaign)
  const undo = useUndo(saving)
  const { draft, state } = saving
  const [place, setPlace] = useState<Place>(() => placeIn(draft[0]))
  const [shown, setShown] = useState<'text' | 'preview'>('text')
  const isPicture = useIsPicture()
  const [shownErrors, reportError] = useFieldErrors()
  const forbidden = usePermissionReason('updateCampaign')
  const step = draft.find(({ key }) => key === place.step) ?? draft[0]
  const variant = step?.variants.find(({ key }) => key === place.variant) ?? step?.variants[0]
  const preview = usePreviewLead(campaign.id)
  const { lead, custom } = preview
  const check = useTextCheck({
    campaignId: campaign.id,
    subject: variant?.subject ?? '',
    body: variant?.body ?? '',
    ...(step?.id && { stepId: step.id }),
    ...(lead && { leadIds: [lead.id] }),
  })
  const issues = step?.type !== 'email' ? [] : (check.data?.issues ?? [])
  const others = useCampaigns().data?.results ?? []
  const view = buildSequenceView({
    takesOver: campaign.entry !== null,
    campaigns: others
      .filter(({ id }) => id !== campaign.id)
      .map(({ id, name }) => ({ value: id, label: branchText.toCampaign(name) })),
    draft,
    state,
    fixed: forbidden,
    custom,
    blockers: useNeverHolds(campaign),
  })
  return (
    <>
      {forbidden !== null && <Note>{forbidden}</Note>}
      <Toolbar
        campaign={campaign}
        saving={saving}
        broken={issues.length > 0 || state.kind === 'kept'}
        shownErrors={shownErrors}
      />
      <ViewSwitch />
      {isPicture ? (
        <PictureView campaign={campaign} view={view} />
      ) : (
        <>
          <div className={styles['switch']}>
            {(['text', 'preview'] as const).map((one) => (
              <Button key={one} small aria-pressed={shown === one} onClick={() => setShown(one)}>
                {one === 'text' ? text.mobileText : text.mobilePreview}
              </Button>
            ))}
          </div>
          <div className={styles['work']} data-shown={shown}>
            <FieldErrors value={reportError}>
              <StepList
                {...{ campaign, view, undo, step, setPlace, issues, custom, lead, check: check.data }}
                place={variant?.key ?? ''}
              />
            </FieldErrors>
            <PreviewSide
              {...{
                check,
                preview,
                silent: step !== undefined && step.type !== 'email',
                inThread: step !== undefined && !view.outlineAt(step.key).first && step.sameThread,
              }}
            />
          </div>
        </>
      )}
      <ChangedElsewhere saving={saving} />
      <Unsaved hasUnsaved={!isAllKept(state)} flush={saving.flush} />
    </>
  )
}

function Toolbar({
  campaign,
  saving,
  broken,
  shownErrors,
}: {
  campaign: Campaign
  saving: ReturnType<typeof useAutosave>
  broken: boolean
  shownErrors: readonly string[]
}) {
  const paths = usePaths()
  const review = campaign.leadCount === 0 ? text.reviewButton : text.review(numberText(campaign.leadCount))
  const launchable = campaignActions[campaign.status].includes('start')
  return (
    <Row>
      <SaveNote state={saving.state} again={saving.save} shownErrors={shownErrors} />
      <Apply campaign={campaign} saving={saving} />
      {!launchable ? null : broken || campaign.leadCount === 0 ? (
        <Button small disabledReason={broken ? text.reviewReason : text.reviewNone}>
          {review}
        </Button>
      ) : (
        <LinkButton small look="primary" to={paths.campaign(campaign.id, 'review')}>
          {review}
        </LinkButton>
      )}
    </Row>
  )
}
