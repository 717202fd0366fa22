import { onboardingSteps, type StepKey, type StepState, stepKeys, stepStates } from '@zhugong/contract/onboarding/steps'

export const stepTones = { done: 'fine', open: 'warning', broken: 'danger', off: 'neutral' } as const satisfies Record<StepState, string>
export const stepOptions = stepKeys.map((value) => ({ value, label: onboardingSteps[value] }))

/** All steps of a site in one sentence, for readers who cannot see the colours. */
export const stepsSaid = (steps: readonly { key: StepKey; state: StepState }[]): string =>
  steps.map(({ key, state }) => `${onboardingSteps[key]}${stepStates[state]}`).join('，')
/** For example 卡在门禁 12 天. */
export const stuckSaid = (row: { stuck: StepKey | null; stuckDays: number | null }): string =>
  row.stuck ? `卡在${onboardingSteps[row.stuck]} ${row.stuckDays ?? 0} 天` : '全部就绪'
