/** The steps of a site's setup, in their order. */
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

/** `broken`: was done before and no longer is. */
export const stepStates = { done: '已完成', open: '未完成', broken: '重新打开', off: '不适用' } as const
export type StepState = keyof typeof stepStates

/** Steps that may be marked as not applicable, with a reason. The others are required for every site. */
export const mayBeOff: readonly StepKey[] = ['gates', 'attendance', 'devices', 'docking']
/** The onboarding of the site as a whole, in addition to its steps. */
export const whole = 'whole'

/** A gate or machine that has been offline for longer no longer counts as set up. */
export const silentHours = 24
/** A working site has a gate record at least every three days, except on holidays. */
export const quietDays = 3
/** A clock that is wrong by more assigns passages to the wrong hour. */
export const clockMinutes = 5
/** A site at one step for longer needs attention. */
export const stuckDays = 7

/** Percentage of the steps that are done or not applicable, rounded to whole percent. */
export const readinessOf = (states: readonly StepState[]): number =>
  Math.round((states.filter((state) => state === 'done' || state === 'off').length / stepKeys.length) * 100)
