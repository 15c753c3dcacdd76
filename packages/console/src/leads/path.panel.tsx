import type { Campaign, Explanation, LeadOnPath, PathStep, Step } from '@overture/sdk'
import { useCampaign, useCampaigns } from '../campaigns/index.ts'
import { usePaths } from '../paths.ts'
import { campaignIdPrefix } from '@overture/contract/vocabularies.ts'
import { numberText } from '../platform/time/format.ts'
import { Time } from '../platform/time/now.tsx'
import { Badge, Grow, Lines, Link, Panel, Shown, Soft } from '../platform/ui/index.ts'
import { useDecisions } from './leads.queries.ts'
import { stepsAhead, pathEnd } from './path.ts'
import { text } from './path.messages.ts'

interface PathProps {
  lead: LeadOnPath
  explanation: Explanation
}

/** The steps that a lead has passed, with the reason of each decision, and the steps ahead. */
export function PathPanel({ lead, explanation }: PathProps) {
  const campaign = useCampaign(lead.campaignId)
  return (
    <Panel title={text.path}>
      <Shown of={campaign}>{({ steps }) => <Path lead={lead} explanation={explanation} steps={steps} />}</Shown>
    </Panel>
  )
}

function Path({ lead, explanation, steps }: PathProps & { steps: Campaign['steps'] }) {
  const evidence = useDecisions(lead.campaignId, lead.id)
  const nameOfCampaign = useCampaignNames()
  const { next } = explanation
  const ahead = next === null ? [] : stepsAhead(steps, { stepId: next.stepId, leadsTo: wayNow(steps, next) })
  if (lead.path.length === 0 && next === null) return <p>{text.empty}</p>
  return (
    <Lines label={text.path}>
      {lead.path.map((one) => (
        <li key={`${one.stepId}${one.at}`}>
          <Time at={one.at} />
          <Grow>
            {behindText(one, steps, nameOfCampaign)}
            {one.type === 'branch' && evidence.data?.has(one.stepId) === true && (
              <div>
                <Soft>{evidence.data.get(one.stepId)}</Soft>
              </div>
            )}
          </Grow>
        </li>
      ))}
      {next !== null && (
        <li>
          {next.at === null ? <Badge tone="accent">{text.next}</Badge> : <Time at={next.at} />}
          <Grow>{stepName(steps, next.stepId)}</Grow>
          {next.at !== null && <Badge tone="accent">{text.next}</Badge>}
        </li>
      )}
      {ahead.map((step) => (
        <li key={step.id}>
          <Badge>{text.later}</Badge>
          <Grow>{stepName(steps, step.id)}</Grow>
        </li>
      ))}
    </Lines>
  )
}

/** The step that the lead would continue with now, if the next step is a branch. Else null. */
function wayNow(steps: readonly Step[], { stepId, decision }: NonNullable<Explanation['next']>): string | null {
  if (decision === null) return null
  const at = steps.findIndex(({ id }) => id === stepId)
  const held = decision.branches.find(({ holds }) => holds)
  if (held === undefined) return decision.otherwise
  const goTo = steps[at]?.branches.find(({ id }) => id === held.branchId)?.goTo
  return goTo ?? steps[at + 1]?.id ?? pathEnd
}

function stepName(steps: readonly Step[], stepId: string): string {
  const at = steps.findIndex(({ id }) => id === stepId)
  const step = steps[at]
  if (step === undefined) return text.removedStep
  const number = numberText(at + 1)
  if (step.type === 'task') return text.task(number, step.title ?? '')
  return step.type === 'branch' ? text.asked(number) : text.email(number, step.variants[0]?.subject ?? '')
}

function behindText(
  { stepId, type, outcome, branchId }: PathStep,
  steps: readonly Step[],
  nameOfCampaign: (id: string) => string,
): string {
  const at = steps.findIndex(({ id }) => id === stepId)
  if (type !== 'branch') {
    const outcomeText = (text.outcome as Readonly<Record<string, string>>)[outcome] ?? outcome
    return `${stepName(steps, stepId)}: ${outcomeText}`
  }
  const branch = steps[at]?.branches.find(({ id }) => id === branchId)
  const label = branchId === null ? text.otherwise : (branch?.label ?? text.gone)
  const took = at === -1 ? text.removedStep : text.took(numberText(at + 1), label)
  return `${took}, ${targetText(steps, outcome, nameOfCampaign)}`
}

function targetText(steps: readonly Step[], target: string, nameOfCampaign: (id: string) => string): string {
  const at = steps.findIndex(({ id }) => id === target)
  if (target === pathEnd) return text.leadsToEnd
  if (target.startsWith(campaignIdPrefix)) return text.leadsToCampaign(nameOfCampaign(target))
  return at === -1 ? text.removedStep : text.leadsTo(numberText(at + 1))
}

/** The decision that the next branch would make now, path by path, and why. */
export function DecisionPanel({ lead, explanation }: PathProps) {
  const campaign = useCampaign(lead.campaignId)
  const nameOfCampaign = useCampaignNames()
  const decision = explanation.next?.decision ?? null
  if (decision === null) return null
  const steps = campaign.data?.steps ?? []
  return (
    <Panel title={text.decision}>
      <p>{text.decidesAt}</p>
      <Lines label={text.decision}>
        {decision.branches.map(({ branchId, label, holds, detail }) => (
          <li key={branchId}>
            <Grow>
              {label}
              <div>
                <Soft>{detail}</Soft>
              </div>
            </Grow>
            <Badge tone={holds ? 'good' : 'soft'}>{holds ? text.holds : text.holdsNot}</Badge>
          </li>
        ))}
        <li>
          <Grow>{text.otherwiseTo(targetText(steps, decision.otherwise, nameOfCampaign))}</Grow>
        </li>
      </Lines>
    </Panel>
  )
}

/** For each campaign that takes leads over from this one: whether it would take this lead, and why. */
export function EntriesPanel({ explanation }: { explanation: Explanation }) {
  const nameOfCampaign = useCampaignNames()
  const paths = usePaths()
  if (explanation.entries.length === 0) return null
  return (
    <Panel title={text.entries}>
      <Lines label={text.entries}>
        {explanation.entries.map(({ campaignId, holds, detail }) => (
          <li key={campaignId}>
            <Grow>
              <Link to={paths.campaign(campaignId, 'settings')}>{nameOfCampaign(campaignId)}</Link>
              <div>
                <Soft>{detail}</Soft>
              </div>
            </Grow>
            <Badge tone={holds ? 'good' : 'soft'}>{holds ? text.takes : text.takesNot}</Badge>
          </li>
        ))}
      </Lines>
    </Panel>
  )
}

function useCampaignNames(): (id: string) => string {
  const campaigns = useCampaigns().data?.results ?? []
  return (id) => campaigns.find((one) => one.id === id)?.name ?? text.anotherCampaign
}
