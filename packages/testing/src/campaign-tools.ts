import { testRenderer } from './renderer.ts'

/** What campaigns are handed in tests that write nothing by a model. */
export const campaignTools = {
  renderer: testRenderer,
  checkAi: () => Promise.resolve({ missingPresetIds: [], creditsMissing: false }),
}
