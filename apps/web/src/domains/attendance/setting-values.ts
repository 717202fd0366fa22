import type { getSetting, saveSetting } from '@zhugong/contract/attendance/setting'
import { attendanceSetting } from '@zhugong/contract/attendance/setting-model'
import type { InputFor, OutputFor } from '@zhugong/contract/kit/endpoint'
import type { RestDays } from '@zhugong/contract/kit/rest-days'
import type { z } from 'zod'

export type Setting = OutputFor<typeof getSetting>
type SettingInput = InputFor<typeof saveSetting>['body']
/** Form values: a setting with its rest days as one field, plus effective date and reason. */
export interface FormValues extends Partial<z.input<typeof attendanceSetting>> {
  rest?: RestDays
  effectiveFrom?: string
  reason?: string
}

/** Breaks are pairs in the API and two fields in the form; rest days are one input. */
export function initialOf(data: Setting) {
  const setting = attendanceSetting.parse(data)
  const { restDates, restWeekdays, workDates } = setting
  return { ...setting, breaks: setting.breaks.map(([from, to]) => ({ from, to })), rest: { restDates, restWeekdays, workDates } }
}

const settingKeys = Object.keys(attendanceSetting.shape)

/** Setting part of the form values. Fields that are not shown are left out and keep their value in force. */
export function settingOf({ rest, ...values }: FormValues): SettingInput {
  return Object.fromEntries(
    Object.entries({ ...values, ...rest }).filter(([key, value]) => settingKeys.includes(key) && value !== undefined && value !== null),
  )
}

export const whenAndWhy = ({ effectiveFrom, reason }: FormValues) => ({
  effectiveFrom: effectiveFrom || undefined,
  reason: reason || undefined,
})
