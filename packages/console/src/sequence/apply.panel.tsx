import type { Campaign, StepInput } from '@overture/sdk'
import { useEffect, useRef } from 'react'
import { structureEditableIn } from '@overture/contract/vocabularies.ts'
import { effectsText, EffectsDialog, useChangeCheck, usePauseCampaign, useResumeCampaign } from '../campaigns/index.ts'
import { Button, ErrorNote, Note, say } from '../platform/ui/index.ts'
import type { Autosave } from './autosave.actions.ts'
import { toDraft, withoutBlank } from './draft.ts'
import { toStepInputs } from './draft-input.ts'
import { isAboutTexts } from './texts/kept-texts.ts'
import { text } from './sequence.messages.ts'

/** Applies the edits to a running campaign, after the user saw what they do to its leads. */
export function Apply({ campaign, saving }: { campaign: Campaign; saving: Autosave }) {
  const takesOver = campaign.entry !== null
  const steps = toStepInputs(withoutBlank(saving.draft), takesOver)
  const mustPause =
    !structureEditableIn.includes(campaign.status) &&
    describeStructure(steps) !== describeStructure(toStepInputs(toDraft(campaign.steps), takesOver))
  const pause = usePauseCampaign(campaign.id)
  const resume = useResumeCampaign(campaign.id)
  const apply = async (): Promise<void> => {
    const paused = mustPause ? await pause.mutateAsync() : undefined
    const applied = await saving.apply(paused)
    if (!mustPause) return
    if (applied) await resume.mutateAsync()
    say(applied ? effectsText.applied : effectsText.notApplied)
  }
  const go = (): void => void apply().catch(() => undefined)
  const check = useChangeCheck({ campaign, go, always: () => mustPause })
  const askedSteps = useRef(steps)
  useEffect(() => void saving.refuse(check.error, askedSteps.current), [check.error])
  const { status } = campaign
  const waits = (status === 'active' || status === 'scheduled') && saving.state.kind !== 'saved'
  return (
    <>
      {waits && (
        <Button
          look="primary"
          small
          operation="updateCampaign"
          onClick={() => {
            askedSteps.current = steps
            check.submit({ steps })
          }}
          busy={saving.state.kind === 'saving' || check.busy || pause.isPending || resume.isPending}
        >
          {text.apply}
        </Button>
      )}
      {isAboutTexts(check.error) ? (
        <Note tone="bad" role="alert">
          <p>{text.reviewReason}</p>
        </Note>
      ) : (
        <ErrorNote error={pause.error ?? resume.error ?? check.error} />
      )}
      <EffectsDialog
        campaign={campaign}
        check={check}
        confirmLabel={mustPause ? effectsText.pauseAndApply : effectsText.apply}
        beside={mustPause ? effectsText.pauses : null}
        confirm={go}
      />
    </>
  )
}

/** The parts of the steps that can't change while a campaign runs: everything except texts and names. */
function describeStructure(steps: readonly StepInput[]): string {
  return JSON.stringify(
    steps.map(({ variants: _variants, variantSelection: _selection, branches = [], ...step }) => ({
      ...step,
      branches: branches.map(({ label: _label, ...branch }) => branch),
    })),
  )
}
