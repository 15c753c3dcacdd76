import { testRenderer } from './renderer.ts'

/** The tools of campaigns for tests that use no AI model. */
export const campaignTools = {
  renderer: testRenderer,
  checkAi: () => Promise.resolve({ missingPresetIds: [], creditsMissing: false }),
}
