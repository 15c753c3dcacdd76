import type { Diagnosis } from '@overture/sdk'
import { usePaths } from '../paths.ts'
import { dateText, numberText } from '../platform/time/format.ts'
import { Time } from '../platform/time/now.tsx'
import { Badge, Button, Grow, Lines, LinkButton, Panel, Shown, Soft } from '../platform/ui/index.ts'
import { useApiWords, useSenders } from '../sending-accounts/index.ts'
import { blockedReasonText } from './campaigns.messages.ts'
import { useDiagnosis } from './campaigns.queries.ts'
import { text } from './diagnosis.messages.ts'
import { leverText } from './levers.ts'

/** Shows why leads wait, and which single change would end the campaign sooner. */
export function DiagnosisPanel({ id }: { id: string }) {
  const diagnosis = useDiagnosis(id)
  const again = (
    <Button small look="quiet" busy={diagnosis.isFetching} onClick={() => void diagnosis.refetch()}>
      {text.again}
    </Button>
  )
  return (
    <Panel title={text.title} actions={again}>
      <Shown of={diagnosis}>
        {(data) => (
          <>
            <p>{endText(data)}</p>
            {data.held.length > 0 && (
              <>
                <Held held={data.held} />
                <Levers campaignId={id} levers={data.levers} held={data.held} />
              </>
            )}
            {data.partial && <Soft>{text.partial}</Soft>}
          </>
        )}
      </Shown>
    </Panel>
  )
}

function endText({ finishesOn, held }: Diagnosis): string {
  if (finishesOn !== null) return text.finishes(dateText(finishesOn))
  // Messages to leads that are not held have an end. So if there is no end and no lead is held, nothing is left to send.
  return held.length === 0 ? text.nothingLeft : text.noEnd
}

function Held({ held }: Pick<Diagnosis, 'held'>) {
  const apiWords = useApiWords()
  return (
    <>
      <h3>{text.held}</h3>
      <Lines label={text.held}>
        {held.map(({ gate, count, until, detail }) => (
          <li key={gate}>
            <Grow>
              <div>
                {blockedReasonText(gate)}
                {until !== null && (
                  <>
                    {', '}
                    {text.until} <Time at={until} />
                  </>
                )}
              </div>
              <Soft>{text.example(apiWords(detail))}</Soft>
            </Grow>
            <Badge tone="warn" plain>
              {text.leads(numberText(count))}
            </Badge>
          </li>
        ))}
      </Lines>
    </>
  )
}

function Levers({ campaignId, levers, held }: Pick<Diagnosis, 'levers' | 'held'> & { campaignId: string }) {
  const paths = usePaths()
  const senders = useSenders().data?.results ?? []
  const lacking = held.find(({ gate }) => gate === 'missing_variable')
  const senderName = (id: string): string => senders.find((one) => one.id === id)?.email ?? id
  return (
    <>
      <h3>{text.levers}</h3>
      {levers.length === 0 && lacking === undefined && <p>{text.noLever}</p>}
      <Lines label={text.levers}>
        {lacking !== undefined && (
          <li>
            <Grow>{text.missing(numberText(lacking.count))}</Grow>
            <LinkButton small to={`${paths.campaign(campaignId, 'leads')}?held=missing_variable`}>
              {text.addValues}
            </LinkButton>
            <LinkButton small to={paths.campaign(campaignId, 'steps')}>
              {text.setFallback}
            </LinkButton>
          </li>
        )}
        {levers.map(({ change, finishesOn, daysSooner }) => {
          const { change: what, to } = leverText(change, { campaignId, paths, senderName })
          const date = dateText(finishesOn)
          return (
            <li key={change.path}>
              <Grow>
                <div>{what}</div>
                <Soft>{daysSooner === null ? text.atAll(date) : text.sooner(date, numberText(daysSooner))}</Soft>
              </Grow>
              <LinkButton small to={to}>
                {text.change}
                <span className="visually-hidden">: {what}</span>
              </LinkButton>
            </li>
          )
        })}
      </Lines>
    </>
  )
}
