export { OverTimeFigure } from './charts.tsx'
export { useCampaignAnalytics, useLastDays } from './analytics.queries.ts'
