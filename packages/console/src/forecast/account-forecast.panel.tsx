import type { AccountForecast } from '@overture/sdk'
import { useCampaigns } from '../campaigns/index.ts'
import { usePaths } from '../paths.ts'
import { Figure, Lines } from '../platform/chart/index.ts'
import { Table, type Column } from '../platform/table/index.ts'
import { dateText, numberText, shortDateText } from '../platform/time/format.ts'
import { Link, Panel, Shown, Soft } from '../platform/ui/index.ts'
import { campaignsAhead, daysAhead, type CampaignAhead } from './ahead.ts'
import { text } from './forecast.messages.ts'
import { useAccountForecast } from './forecast.queries.ts'

const daysLooked = 30

/** A forecast of all campaigns together: what they send in the next weeks, and the capacity of the senders. */
export function AccountForecastPanel() {
  const forecast = useAccountForecast(daysLooked)
  return (
    <Panel title={text.ahead}>
      <Shown of={forecast}>
        {(data) => {
          const campaigns = campaignsAhead(data)
          if (campaigns.length === 0) return <p>{text.aheadNothing(numberText(daysLooked))}</p>
          return (
            <>
              <DaysAhead forecast={data} campaigns={campaigns.length} />
              <Campaigns campaigns={campaigns} />
              {data.partial && <Soft>{text.aheadPartial}</Soft>}
            </>
          )
        }}
      </Shown>
    </Panel>
  )
}

function DaysAhead({ forecast, campaigns }: { forecast: AccountForecast; campaigns: number }) {
  const days = daysAhead(forecast)
  const planned = days.reduce((sum, day) => sum + day.planned, 0)
  const fullest = days.reduce((most, day) => (day.planned > most.planned ? day : most))
  const sentence = text.aheadSentence({
    planned: numberText(planned),
    days: numberText(days.length),
    campaigns: numberText(campaigns),
    fullest: dateText(fullest.date),
    count: numberText(fullest.planned),
    capacity: numberText(fullest.capacity),
  })
  return (
    <Figure
      label={text.ahead}
      sentence={`${sentence} ${text.aheadZone(forecast.timezone)}`}
      table={{
        columns: [text.day, text.planned, text.couldSend],
        rows: days.map((day) => [dateText(day.date), numberText(day.planned), numberText(day.capacity)]),
      }}
    >
      <Lines
        labels={days.map(({ date }) => shortDateText(date))}
        series={[
          { name: text.planned, values: days.map((day) => day.planned) },
          { name: text.couldSend, values: days.map(({ capacity }) => capacity) },
        ]}
      />
    </Figure>
  )
}

function Campaigns({ campaigns }: { campaigns: readonly CampaignAhead[] }) {
  const paths = usePaths()
  const named = useCampaigns().data?.results ?? []
  const campaignName = (id: string): string => named.find((one) => one.id === id)?.name ?? id
  const columns: Column<CampaignAhead>[] = [
    {
      name: text.campaign,
      cell: ({ campaignId }) => <Link to={paths.campaign(campaignId)}>{campaignName(campaignId)}</Link>,
    },
    { name: text.planned, number: true, cell: ({ planned }) => numberText(planned) },
    { name: text.lastDay, cell: ({ until }) => dateText(until) },
  ]
  return (
    <Table label={text.aheadCampaigns} columns={columns} rows={campaigns} rowKey={({ campaignId }) => campaignId} />
  )
}
