/** What a site goes through before it runs, in this order. */
export const onboardingSteps = {
  register: '建档',
  parties: '参建单位',
  accounts: '组织与账号',
  gates: '门禁',
  attendance: '考勤',
  devices: '设备',
  docking: '监管对接',
} as const
export type StepKey = keyof typeof onboardingSteps
export const stepKeys = Object.keys(onboardingSteps) as [StepKey, ...StepKey[]]

/** `broken`: it was done and is not any more. */
export const stepStates = { done: '已完成', open: '未完成', broken: '重新打开', off: '不适用' } as const
export type StepState = keyof typeof stepStates

/** Steps a site may do without, with a reason; the others no site can. */
export const mayBeOff: readonly StepKey[] = ['gates', 'attendance', 'devices', 'docking']
/** The site's onboarding as a whole, beside its steps. */
export const whole = 'whole'

/** A gate or a machine that was heard and is silent for so long is not set up any more. */
export const silentHours = 24
/** A site where somebody works is not three days without a passage, holidays apart. */
export const quietDays = 3
/** A clock that is wrong by more makes passages count for the wrong hour. */
export const clockMinutes = 5
/** A site that stands at one step for longer wants somebody. */
export const stuckDays = 7

/** Whole percent of the steps that are done or do not apply. */
export const readinessOf = (states: readonly StepState[]): number =>
  Math.round((states.filter((state) => state === 'done' || state === 'off').length / stepKeys.length) * 100)
