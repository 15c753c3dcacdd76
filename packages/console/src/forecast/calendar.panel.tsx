import type { Campaign, Forecast } from '@overture/sdk'
import { blockedReasonText } from '../campaigns/index.ts'
import { usePaths } from '../paths.ts'
import { Figure } from '../platform/chart/index.ts'
import { dateText, numberText } from '../platform/time/format.ts'
import { Grow, Lines, Link, Panel, Shown } from '../platform/ui/index.ts'
import { sumDays, groupByWeek } from './calendar.ts'
import { text } from './forecast.messages.ts'
import { useForecast } from './forecast.queries.ts'
import styles from './forecast.module.css'

const weeksMax = 12

/** The forecast of the planner as a calendar: the first messages and the follow-ups of each day. */
export function Calendar({ campaign }: { campaign: Campaign }) {
  const forecast = useForecast(campaign.id)
  return (
    <Panel title={text.calendar}>
      <Shown of={forecast}>
        {(data) => (
          <>
            {data.days.length === 0 ? <p>{text.nothing}</p> : <Days forecast={data} />}
            <Never campaign={campaign} forecast={data} />
          </>
        )}
      </Shown>
    </Panel>
  )
}

function Days({ forecast }: { forecast: Forecast }) {
  const { days, finishesOn } = forecast
  const senders = new Set(days.flatMap(({ bySender }) => bySender.map(({ sendingAccountId }) => sendingAccountId))).size
  const end = finishesOn === null ? text.noEnd : text.finishes(dateText(finishesOn))
  const rows = days.map(({ date, first, followUp }) => [
    dateText(date),
    numberText(first),
    numberText(followUp),
    numberText(first + followUp),
  ])
  return (
    <Figure
      label={text.calendar}
      sentence={text.sentence(numberText(sumDays(days)), text.senders(numberText(senders)), end)}
      table={{ columns: [text.day, text.first, text.followUp, text.total], rows }}
    >
      <div className={styles['legend']}>
        <span className={styles['first']}>{text.first}</span>
        <span className={styles['followUp']}>{text.followUp}</span>
      </div>
      <Weeks forecast={forecast} />
    </Figure>
  )
}

function Weeks({ forecast }: { forecast: Forecast }) {
  return (
    <div className={styles['calendar']}>
      {text.weekdays.map((name) => (
        <span key={name} className={styles['weekday']}>
          {name}
        </span>
      ))}
      {groupByWeek(forecast.days, weeksMax)
        .flat()
        .map(({ date, first, followUp }) => (
          <div key={date} className={styles['day']} data-empty={first + followUp === 0} title={dateText(date)}>
            <span className={styles['date']}>{Number(date.slice(8))}</span>
            <span className={styles['counts']}>
              {first > 0 && <span className={styles['first']}>{numberText(first)}</span>}
              {followUp > 0 && <span className={styles['followUp']}>{numberText(followUp)}</span>}
            </span>
          </div>
        ))}
    </div>
  )
}

function Never({ campaign, forecast }: { campaign: Campaign; forecast: Forecast }) {
  const paths = usePaths()
  if (forecast.unscheduled.length === 0) return null
  return (
    <>
      <h3>{text.never}</h3>
      <Lines label={text.never}>
        {forecast.unscheduled.map(({ reason, count }) => (
          <li key={reason}>
            <Grow>{text.neverCount(numberText(count), blockedReasonText(reason))}</Grow>
            <Link
              to={
                // No lead of a draft has been planned yet. The texts say how many leads lack a value.
                campaign.status === 'draft' && reason === 'missing_variable'
                  ? paths.campaign(campaign.id, 'steps')
                  : `${paths.campaign(campaign.id, 'leads')}?held=${reason}`
              }
            >
              {text.show}
            </Link>
          </li>
        ))}
      </Lines>
    </>
  )
}
