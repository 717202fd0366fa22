import { activityList, tripList } from '@zhugong/contract/experts/activities'
import { drawList, halves } from '@zhugong/contract/experts/draws'
import { expertList } from '@zhugong/contract/experts/library'
import { yearList } from '@zhugong/contract/experts/scores'
import { exportOf } from '../exports/registry.ts'
import * as activities from './activity-rows.ts'
import * as draws from './draw-rows.ts'
import * as experts from './rows.ts'
import * as trips from './trip-rows.ts'
import * as years from './year-rows.ts'

export function registerExpertExports(): void {
  exportOf(
    expertList,
    {
      title: '专家库',
      widths: { workUnit: 32, specialties: 28, submitTime: 20 },
      async *rows(ctx, query) {
        yield* await experts.readRows(ctx, query)
      },
      count: experts.countRows,
    },
    {
      gender: (r) => r.genderName,
      title: (r) => r.titleName,
      specialties: (r) => r.specialtyNames.join('、'),
      acceptRate: (r) => (r.acceptRate === null ? null : `${r.acceptRate}%`),
      grade: (r) => r.gradeName,
      state: (r) => r.stateName,
    },
  )
  exportOf(
    drawList,
    {
      title: '专家抽取记录',
      widths: { title: 36, projectName: 28, organiserName: 28 },
      async *rows(ctx, query) {
        yield* await draws.readRows(ctx, query)
      },
      count: draws.countRows,
    },
    {
      purpose: (r) => r.purposeName,
      meetingDate: (r) => `${r.meetingDate} ${halves[r.half]}`,
      run: (r) => `第 ${r.run} 次`,
      state: (r) => r.stateName,
    },
  )
  exportOf(
    activityList,
    {
      title: '专家日常活动',
      widths: { title: 36, projectName: 28, organiserName: 28 },
      async *rows(ctx, query) {
        yield* await activities.readRows(ctx, query)
      },
      count: activities.countRows,
    },
    {
      date: (r) => `${r.date} ${halves[r.half]}`,
      activityType: (r) => r.typeName,
      signed: (r) => `${r.signed} / ${r.experts}`,
      hasReport: (r) => (r.hasReport ? '有' : '无'),
      state: (r) => r.stateName,
    },
  )
  exportOf(
    tripList,
    {
      title: '专家外出活动',
      widths: { inviter: 28, destination: 28, report: 36 },
      async *rows(ctx, query) {
        yield* await trips.readRows(ctx, query)
      },
      count: trips.countRows,
    },
    {
      activityType: (r) => r.typeName,
      destination: (r) => r.destinationName,
      payer: (r) => r.payerName,
      state: (r) => r.stateName,
    },
  )
  exportOf(
    yearList,
    {
      title: '专家年度评价',
      widths: { specialties: 28 },
      async *rows(ctx, query) {
        yield* await years.readRows(ctx, query)
      },
      count: years.countRows,
    },
    {
      specialties: (r) => r.specialtyNames.join('、'),
      grade: (r) => r.gradeName,
      warn: (r) => (r.warn ? '连续两年不合格' : null),
    },
  )
}
