import type { CampaignStats, CampaignStatus } from '@overture/sdk'
import { ActivityLines, withoutEchoes } from '../events/index.ts'
import { numberText, percentText } from '../platform/time/format.ts'
import { Time } from '../platform/time/now.tsx'
import { Columns, Facts, Grow, Lines, Note, Panel, Shown, Soft, Stack, Stats } from '../platform/ui/index.ts'
import { CampaignPage } from './campaign-frame.panel.tsx'
import { TagsPanel } from '../tags/index.ts'
import { text } from './campaigns.messages.ts'
import { useCampaignActivity, useCampaignStats, useFollowupStatus } from './campaigns.queries.ts'
import { campaignRates } from './rates.ts'
import { MissingValuesNote } from './missing-values.panel.tsx'
import { ReturnedNote } from './returned.panel.tsx'
import { DiagnosisPanel } from './diagnosis.panel.tsx'

const activityMax = 20
/** The statuses in which leads may wait for something that can be changed. */
const running: readonly CampaignStatus[] = ['scheduled', 'active', 'paused']

export function OverviewPage() {
  return (
    <CampaignPage tab="overview">
      {(campaign) => {
        const { id, schedule, status, statusReason } = campaign
        return (
          <>
            {status === 'paused' && statusReason !== null && (
              <Note tone="warn">
                <p>
                  {text.pausedBecause(
                    (text.statusReasons as Readonly<Record<string, string>>)[statusReason] ?? statusReason,
                  )}
                </p>
              </Note>
            )}
            <MissingValuesNote campaign={campaign} />
            <ReturnedNote id={id} />
            <Counters id={id} />
            <Columns>
              <Stack>
                <Progress id={id} />
                {running.includes(status) && <DiagnosisPanel id={id} />}
                <TagsPanel id={id} tagIds={campaign.tagIds} />
              </Stack>
              <ActivityPanel id={id} zone={schedule.timezone} />
            </Columns>
          </>
        )
      }}
    </CampaignPage>
  )
}

function Counters({ id }: { id: string }) {
  const stats = useCampaignStats(id)
  return (
    <Shown of={stats}>
      {(counts) => (
        <>
          <Stats items={countItems(counts)} />
          <Soft>{text.rateNote(numberText(counts.contacted), numberText(counts.sent))}</Soft>
        </>
      )}
    </Shown>
  )
}

function countItems(counts: CampaignStats) {
  const { leads, sent, uniqueReplied, bounced, verifiedBounced, returned, unsubscribed, interested, meetingsBooked } =
    counts
  const rates = campaignRates(counts)
  return [
    { label: text.tabs.leads, value: numberText(leads) },
    { label: text.sent, value: numberText(sent) },
    { label: text.replied, value: numberText(uniqueReplied), beside: percentText(rates.reply) },
    { label: text.interested, value: numberText(interested), beside: percentText(rates.interested) },
    { label: text.meetings, value: numberText(meetingsBooked) },
    { label: text.bounced, value: numberText(bounced), beside: percentText(rates.bounce) },
    ...(verifiedBounced > 0 ? [{ label: text.verifiedBounced, value: numberText(verifiedBounced) }] : []),
    ...(returned > 0 ? [{ label: text.returned, value: numberText(returned) }] : []),
    { label: text.unsubscribed, value: numberText(unsubscribed), beside: percentText(rates.unsubscribe) },
  ]
}

function Progress({ id }: { id: string }) {
  const followup = useFollowupStatus(id)
  return (
    <Panel title={text.progress}>
      <Shown of={followup}>
        {({ waiting, due, nextSendAt, lastSentAt, byStep }) => (
          <>
            <Facts
              items={[
                { label: text.next, value: nextSendAt === null ? text.noLeadsWaiting : <Time at={nextSendAt} /> },
                { label: text.lastSent, value: lastSentAt === null ? text.never : <Time at={lastSentAt} /> },
                { label: text.waiting, value: numberText(waiting) },
                { label: text.due, value: numberText(due) },
              ]}
            />
            <Lines>
              {byStep.map((step) => (
                <li key={step.stepId}>
                  <Grow>{text.step(numberText(step.position))}</Grow>
                  {text.stepLine(numberText(step.waiting), numberText(step.due), numberText(step.sent))}
                </li>
              ))}
            </Lines>
          </>
        )}
      </Shown>
    </Panel>
  )
}

function ActivityPanel({ id, zone }: { id: string; zone: string }) {
  const activity = useCampaignActivity(id, activityMax)
  return (
    <Panel title={text.activity}>
      <Shown of={activity}>
        {({ results }) =>
          results.length === 0 ? (
            <p>{text.noActivity}</p>
          ) : (
            <ActivityLines activities={withoutEchoes(results)} label={text.activity} zone={zone} />
          )
        }
      </Shown>
    </Panel>
  )
}
