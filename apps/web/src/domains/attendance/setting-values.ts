import type { getSetting, saveSetting } from '@zhugong/contract/attendance/setting'
import { attendanceSetting } from '@zhugong/contract/attendance/setting-model'
import type { InputFor, OutputFor } from '@zhugong/contract/kit/endpoint'
import type { RestDays } from '@zhugong/contract/kit/rest-days'
import type { z } from 'zod'

export type Setting = OutputFor<typeof getSetting>
type SettingInput = InputFor<typeof saveSetting>['body']
/** The form's values: a setting, its rest days as one, and when and why it shall hold. */
export interface FormValues extends Partial<z.input<typeof attendanceSetting>> {
  rest?: RestDays
  effectiveFrom?: string
  reason?: string
}

/** Breaks travel as pairs and are edited as two fields; rest days are one control. */
export function initialOf(data: Setting) {
  const setting = attendanceSetting.parse(data)
  const { restDates, restWeekdays, workDates } = setting
  return { ...setting, breaks: setting.breaks.map(([from, to]) => ({ from, to })), rest: { restDates, restWeekdays, workDates } }
}

const settingKeys = Object.keys(attendanceSetting.shape)

/** What the fields say of the setting; what is not shown stays as it is in force. */
export function settingOf({ rest, ...values }: FormValues): SettingInput {
  return Object.fromEntries(
    Object.entries({ ...values, ...rest }).filter(([key, value]) => settingKeys.includes(key) && value !== undefined && value !== null),
  )
}

export const whenAndWhy = ({ effectiveFrom, reason }: FormValues) => ({
  effectiveFrom: effectiveFrom || undefined,
  reason: reason || undefined,
})
