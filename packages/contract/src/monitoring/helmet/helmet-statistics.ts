import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { paged, several } from '../../kit/fields.ts'
import { sortBy } from '../../kit/list.ts'
import { epoch, periodQuery } from '../../telemetry/model.ts'
import { helmetView } from './helmets.ts'

export const helmetAlarms = endpoint({
  method: 'GET',
  path: '/api/v1/iot/alarm/helmet/',
  summary: '安全帽告警列表',
  needs: helmetView,
  answers: 'list',
  query: periodQuery.extend({
    alarmKey: several.optional(),
    level: several.optional(),
    state: several.optional(),
    sort: sortBy('startTime'),
  }),
  response: paged(
    z.object({
      id: z.string(),
      projectCode: z.string(),
      projectName: z.string(),
      deviceId: z.string(),
      deviceName: z.string(),
      category: z.string(),
      alarmKey: z.string(),
      alarmLabel: z.string(),
      level: z.number().int(),
      state: z.string(),
      active: z.boolean(),
      startTime: epoch,
      clearTime: epoch.nullable(),
      durationSeconds: z.number(),
      handlerName: z.string().nullable(),
      /** Seconds from the alarm to the first person who took it up. */
      responseSeconds: z.number().nullable(),
      batteryPercent: z.number().nullable(),
      lng: z.number().nullable(),
      lat: z.number().nullable(),
      workerName: z.string().nullable(),
      teamName: z.string().nullable(),
      version: z.number().int(),
    }),
  ).extend({
    sosOpen: z.number().int(),
    fallsToday: z.number().int(),
    removalsToday: z.number().int(),
    averageResponseSeconds: z.number().nullable(),
  }),
})
const statisticsQuery = periodQuery.pick({ projectCode: true, startTime: true, endTime: true })
export const helmetAlarmLine = endpoint({
  method: 'GET',
  path: '/api/v1/iot/alarm/helmet/statistics/polyline',
  summary: '安全帽告警折线统计',
  needs: helmetView,
  answers: 'list',
  query: statisticsQuery,
  response: z.object({
    list: z.array(z.object({ day: z.string(), total: z.number().int(), byKey: z.record(z.string(), z.number().int()) })),
    total: z.number().int(),
  }),
})
export const helmetAlarmPie = endpoint({
  method: 'GET',
  path: '/api/v1/iot/alarm/helmet/statistics/pie',
  summary: '安全帽告警占比统计',
  needs: helmetView,
  answers: 'list',
  query: statisticsQuery,
  response: z.object({
    list: z.array(
      z.object({
        alarmKey: z.string(),
        label: z.string(),
        count: z.number().int(),
        falseCount: z.number().int(),
        averageResponseSeconds: z.number().nullable(),
      }),
    ),
    total: z.number().int(),
  }),
})
/** Upper bounds of the response time classes, minutes from notification to the first person who took the alarm up. */
export const responseClasses = [1, 5, 15, 60] as const
const share = z.number().nullable()
/** Wearing rate, response times and false alarms. Compared by team, never by person. */
export const helmetAnalysis = endpoint({
  method: 'GET',
  path: '/api/v1/iot/helmet/analysis',
  summary: '安全帽数据分析',
  needs: helmetView,
  query: periodQuery.pick({ projectCode: true, startTime: true, endTime: true }),
  response: z.object({
    helmets: z.number().int(),
    /** Received share of expected readings in working hours, percent. */
    coverage: z.number(),
    figures: z.object({
      alarms: z.number().int(),
      sos: z.number().int(),
      falls: z.number().int(),
      averageResponseSeconds: z.number().nullable(),
      wearingPercent: share,
    }),
    teams: z.array(
      z.object({
        team: z.string(),
        helmets: z.number().int(),
        hours: z.number(),
        wearingPercent: share,
        alarms: z.number().int(),
        worstHour: z.number().int().nullable(),
      }),
    ),
    /** By hour of the working day, all days combined. */
    hours: z.array(z.object({ hour: z.number().int(), onlineHours: z.number(), wearingPercent: share })),
    days: z.array(z.object({ day: z.string(), total: z.number().int(), byKey: z.record(z.string(), z.number().int()) })),
    kinds: z.array(
      z.object({
        alarmKey: z.string(),
        label: z.string(),
        count: z.number().int(),
        falseCount: z.number().int(),
        averageResponseSeconds: z.number().nullable(),
      }),
    ),
    /** Counts by `responseClasses`; the last two: later, and not yet taken up. */
    responses: z.array(z.number().int()),
  }),
})
