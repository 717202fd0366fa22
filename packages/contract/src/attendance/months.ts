import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { flag, month, paged, pageQuery, several, text } from '../kit/fields.ts'
import type { DayResult } from './facts.ts'
import { monthSums, person, project, unit } from './row-fields.ts'

export const monthlyRow = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string().nullable(),
  ...person,
  month: z.string(),
  /** One text for each day of the month: see sheet.ts. */
  cells: z.array(z.string()),
  /** First day with attendance records of the site; null if there is none. Cells before it are blank, not absences. */
  keptFrom: z.string().nullable(),
  ...monthSums,
})

export type MonthlyRow = z.infer<typeof monthlyRow>

const monthlyFilters = {
  ...project,
  ...unit,
  month: month.optional(),
  name: text(50).optional(),
  workRole: several.optional(),
  results: several.optional(),
  /** Paper size of the printed sheet. */
  paper: z.enum(['A3', 'A4'], '纸张应为 A3 或 A4').optional(),
}

export const listMonthly = endpoint({
  method: 'GET',
  path: '/api/v1/attendance/monthly',
  summary: '月考勤',
  needs: 'attendance.view',
  answers: 'list',
  query: pageQuery.extend(monthlyFilters),
  response: paged(monthlyRow).extend({
    month: z.string(),
    today: z.string(),
    /** For each day of the month, the number of people with an attendance day, over all rows. */
    perDay: z.array(z.number().int()),
    restDates: z.array(z.string()),
    people: z.number().int(),
    attendDays: z.number().int(),
    workHours: z.number(),
    /** Number of cells with late data. */
    lateCells: z.number().int(),
    dayCut: z.string(),
    minHours: z.number(),
  }),
})

/** Results that the annex lists: late, early, one or both punches missing, leave, late data, corrected. */
export const annexResults: readonly DayResult[] = [2, 3, 4, 5, 6, 10, 11]
/** Maximum number of rows in an annex: a fifth of the days of three thousand people. */
export const mostAnnexRows = 20_000

export const exportMonthly = endpoint({
  method: 'GET',
  path: '/api/v1/attendance/monthly/export',
  summary: '导出月考勤',
  needs: 'attendance.export',
  answers: 'blob',
  query: pageQuery.extend({
    ...monthlyFilters,
    /** Adds a second sheet with the days behind the marks. */
    annex: flag.optional(),
  }),
})
