export { PlacementChart } from './placement-chart.tsx'
export { text as placementText } from './placement.messages.ts'
export { PlacementTestDialog } from './start-test.panel.tsx'
