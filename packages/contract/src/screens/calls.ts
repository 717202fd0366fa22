import { z } from 'zod'
import { findAlarms } from '../alarms/lists.ts'
import { realtimeOverview } from '../attendance/presence.ts'
import { inPlaceStats, statsTotals } from '../attendance/stats.ts'
import { deviceStatistics } from '../equipment/device-tools.ts'
import { pickDevices } from '../equipment/endpoints.ts'
import { listGateways } from '../equipment/gateway-endpoints.ts'
import { listDues } from '../equipment/service-endpoints.ts'
import { deviceCenterColumns, getHomeReport, getMainPage, homeReport, mainPage } from '../home/endpoints.ts'
import { viewOf } from '../kit/endpoint.ts'
import { towerDevice } from '../monitoring/crane/crane-endpoints.ts'
import { envRealtime } from '../monitoring/environment/environment-endpoints.ts'
import { listPassages } from '../monitoring/gateway/passages.ts'
import { liftStatus } from '../monitoring/lift/lift-live.ts'
import { findPitPoints } from '../monitoring/pit/pits.ts'
import { unloadingInfo } from '../monitoring/unloading/unloading-live.ts'
import { epoch } from '../telemetry/model.ts'
import { latest, machine, project, rows } from './call-parts.ts'
import { yardCalls } from './yard-calls.ts'

/**
 * The queries of walls with everything they return: for each call, the fields that its panels draw. None contains a person's name, number,
 * face or position, and texts sent by devices are left out. A display token may make these calls only.
 */

const main = viewOf(getMainPage, {
  query: z.strictObject({ view: z.literal('main').default('main'), ...project }),
  response: mainPage
    .pick({
      at: true,
      kind: true,
      figures: true,
      graveAlarms: true,
      site: true,
      week: true,
      devices: true,
      projects: true,
      districts: true,
    })
    .extend({ keyPosts: z.array(mainPage.shape.keyPosts.element.omit({ name: true })) }),
})
const report = viewOf(getHomeReport, {
  query: z.strictObject({ days: z.coerce.number().int().min(1).max(90).default(30), ...project }),
  response: homeReport,
})
/** Unhandled alarms, one row per episode, gravest first: the same rows and total as the alarm desk. */
const alarms = viewOf(findAlarms, {
  query: z.strictObject({
    ...rows,
    size: rows.size.default(200),
    ...project,
    level: z
      .string()
      .regex(/^[1-4](,[1-4])*$/)
      .optional(),
    state: z.literal('open,acknowledged').default('open,acknowledged'),
    simulated: z.literal('0').default('0'),
    historical: z.literal('0').default('0'),
    merged: z.literal('1').default('1'),
  }),
  response: z.object({
    list: z.array(
      z.object({
        id: z.string(),
        projectCode: z.string(),
        projectName: z.string(),
        deviceId: z.string(),
        deviceName: z.string(),
        familyName: z.string(),
        alarmLabel: z.string(),
        level: z.number(),
        state: z.string(),
        active: z.boolean(),
        startTime: epoch,
        peakValue: z.number().nullable(),
        unit: z.string(),
        thresholdText: z.string(),
      }),
    ),
    total: z.number(),
    alarms: z.number(),
    counts: z.object({ active: z.number(), todo: z.number(), urgent: z.number(), overdue: z.number(), today: z.number() }),
  }),
})
const head = z.object({
  inPlace: z.number(),
  attended: z.number(),
  onDuty: z.number(),
  expected: z.number(),
  arrived: z.number(),
  rate: z.number().nullable(),
})
const presence = viewOf(realtimeOverview, {
  query: z.strictObject(project),
  response: head.extend({
    at: z.string(),
    workers: head,
    managers: head,
    corps: z.array(head.extend({ corpCode: z.string(), corpName: z.string().nullable() })),
    gates: z.object({ total: z.number(), online: z.number() }),
    passages: z.array(
      z.object({
        id: z.string(),
        corpName: z.string().nullable(),
        teamName: z.string().nullable(),
        date: z.string(),
        direction: z.string().nullable(),
        channel: z.string().nullable(),
        late: z.boolean(),
      }),
    ),
    quarantined: z.number(),
  }),
})
const hours = viewOf(inPlaceStats.byHour, {
  query: z.strictObject({ ...rows, ...project, date: z.string().max(10).optional() }),
  response: z.object({
    list: z.array(
      z.object({ hours: z.array(z.object({ hour: z.string(), inCount: z.number(), outCount: z.number(), onDuty: z.number() })) }),
    ),
  }),
})
const keyPosts = viewOf(statsTotals, {
  query: z.strictObject(project),
  response: z.object({ rate: z.number().nullable(), personDays: z.number(), inPlaceDays: z.number(), inPlace: z.number() }),
})
const devices = viewOf(pickDevices, {
  query: z.strictObject({ ...project, family: z.string().max(200).optional(), size: z.coerce.number().int().min(1).max(500).default(500) }),
  response: z.object({
    list: z.array(z.object({ id: z.string(), name: z.string(), family: z.string(), projectCode: z.string(), online: z.boolean() })),
  }),
})
const point = z.object({ x: z.number(), y: z.number() })
const cranes = viewOf(towerDevice, {
  query: z.strictObject({}),
  response: z.object({
    cranes: z.array(
      z.object({
        deviceId: z.string(),
        name: z.string(),
        x: z.number(),
        y: z.number(),
        jibLength: z.number(),
        counterJibLength: z.number(),
        jibHeight: z.number(),
        craneType: z.string(),
        angleOffset: z.number(),
        latest,
        online: z.boolean(),
      }),
    ),
    plan: z.object({
      fence: z.array(point),
      buildings: z.array(z.object({ name: z.string(), height: z.number(), points: z.array(point) })),
    }),
  }),
})
const lifts = viewOf(liftStatus, {
  query: z.strictObject({ ...rows, ...project }),
  response: z.object({
    list: z.array(z.object({ ...machine, cages: z.array(z.object({ cage: z.string(), latest })) })),
    running: z.number(),
    stopped: z.number(),
    offline: z.number(),
  }),
})
const unloading = viewOf(unloadingInfo, {
  query: z.strictObject({}),
  response: z.object({ ...machine, ratedLoad: z.number().nullable(), loadedSince: epoch.nullable(), now: epoch }),
})
const stations = viewOf(envRealtime, {
  query: z.strictObject({ ...rows, ...project }),
  response: z.object({
    list: z.array(
      z.object({
        ...machine,
        areaName: z.string().nullable(),
        state: z.string(),
        overPercent: z.number().nullable(),
        worstMetric: z.string().nullable(),
        limits: z.record(z.string(), z.number()),
        spraying: z.boolean(),
        hasSpray: z.boolean(),
      }),
    ),
    online: z.number(),
    offline: z.number(),
    over: z.number(),
    noiseLimit: z.object({ value: z.number(), period: z.string() }),
  }),
})
const pits = viewOf(findPitPoints, {
  query: z.strictObject({ ...rows, ...project, groupBy: z.literal('point').default('point') }),
  response: z.object({
    list: z.array(
      z.object({
        deviceId: z.string(),
        pointCode: z.string(),
        pointTypeName: z.string(),
        pitName: z.string(),
        unit: z.string(),
        time: epoch.nullable(),
        cumulative: z.number().nullable(),
        ratePerDay: z.number().nullable(),
        share: z.number().nullable(),
        state: z.string(),
      }),
    ),
  }),
})
const trucks = viewOf(listPassages, {
  query: z.strictObject({ ...rows, ...project }),
  response: z.object({
    list: z.array(
      z.object({
        id: z.string(),
        projectName: z.string(),
        plateNo: z.string(),
        direction: z.string(),
        time: epoch,
        washState: z.string().nullable(),
        coverState: z.string().nullable(),
        alarms: z.array(z.string()),
      }),
    ),
    today: z.object({
      in: z.number(),
      out: z.number(),
      inside: z.number(),
      washPercent: z.number().nullable(),
      coverPercent: z.number().nullable(),
      byHour: z.array(z.object({ hour: z.number(), in: z.number(), out: z.number() })),
    }),
  }),
})
const fleet = viewOf(deviceStatistics, {
  query: z.strictObject({ ...project, groupBy: z.literal('category').default('category') }),
  response: z.object({
    all: z.number(),
    inUse: z.number(),
    online: z.number(),
    groups: z.array(
      z.object({
        key: z.string(),
        familyName: z.string(),
        family: z.string(),
        inUse: z.number(),
        online: z.number(),
        alarming: z.number(),
      }),
    ),
  }),
})
const columns = viewOf(deviceCenterColumns, {
  query: z.strictObject({ ...rows }),
  response: z.object({
    list: z.array(
      z.object({
        projectCode: z.string(),
        projectName: z.string(),
        total: z.number(),
        online: z.number(),
        families: z.array(z.object({ family: z.string(), name: z.string(), total: z.number() })),
      }),
    ),
  }),
})
const dues = viewOf(listDues, {
  query: z.strictObject({ ...rows, ...project, sort: z.literal('daysLeft').default('daysLeft') }),
  response: z.object({
    list: z.array(
      z.object({
        id: z.string(),
        deviceName: z.string(),
        familyName: z.string(),
        projectName: z.string(),
        kind: z.string(),
        dueDate: z.string(),
        daysLeft: z.number(),
      }),
    ),
    counts: z.object({ overdue: z.number(), week: z.number(), month: z.number(), handled: z.number() }),
  }),
})
const gateways = viewOf(listGateways, {
  query: z.strictObject({ ...rows, ...project }),
  response: z.object({
    total: z.number(),
    counts: z.object({ online: z.number(), offline: z.number(), refused: z.number(), badFrames: z.number() }),
  }),
})
const sightings = viewOf(findAlarms, {
  query: z.strictObject({
    ...rows,
    ...project,
    family: z.literal('videoAi').default('videoAi'),
    sort: z.literal('-startTime').default('-startTime'),
  }),
  response: z.object({
    list: z.array(
      z.object({
        id: z.string(),
        projectName: z.string(),
        deviceName: z.string(),
        alarmLabel: z.string(),
        level: z.number(),
        state: z.string(),
        startTime: epoch,
      }),
    ),
    total: z.number(),
  }),
})

export const screenCalls = {
  main,
  report,
  alarms,
  presence,
  hours,
  keyPosts,
  devices,
  cranes,
  lifts,
  unloading,
  stations,
  pits,
  trucks,
  fleet,
  columns,
  dues,
  gateways,
  sightings,
  ...yardCalls,
} as const
export type CallKey = keyof typeof screenCalls
