import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, ofProject, paged, pageQuery, ref, several } from '../kit/fields.ts'

/** The run of a machine that alarms started, or would have started. Times are epoch milliseconds. */
export const linkageRun = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  execId: z.string(),
  execName: z.string(),
  command: z.string(),
  commandName: z.string(),
  deviceId: z.string(),
  deviceName: z.string(),
  family: z.string(),
  level: z.number().int(),
  simulated: z.boolean(),
  state: z.string(),
  stateName: z.string(),
  result: z.string().nullable(),
  resultName: z.string().nullable(),
  /** The latest event in Chinese: which interlock holds the machine, or why the run ended. */
  reason: z.string(),
  attempts: z.number().int(),
  alarms: z.array(z.object({ id: z.string(), label: z.string(), deviceName: z.string(), level: z.number().int(), active: z.boolean() })),
  confirmUntil: z.number().nullable(),
  confirmedBy: z.string().nullable(),
  stopBy: z.string().nullable(),
  stopReason: z.string().nullable(),
  startTime: z.number().nullable(),
  minUntil: z.number().nullable(),
  maxUntil: z.number().nullable(),
  endTime: z.number().nullable(),
  cooldownUntil: z.number().nullable(),
  /** No automatic start of this device before this time, because somebody stopped it. */
  blockedUntil: z.number().nullable(),
  pm10Before: z.number().nullable(),
  pm10After: z.number().nullable(),
  createTime: z.number(),
})

export const listLinkageRuns = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/linkageRun',
  summary: '设备联动记录',
  needs: 'alarm.view',
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    state: several.optional(),
    result: several.optional(),
    deviceId: ref('device').optional(),
    alarmId: ref('alarm').optional(),
    execId: ref('exec').optional(),
  }),
  response: paged(linkageRun).extend({
    counts: z.object({ running: z.number().int(), waitingConfirm: z.number().int(), held: z.number().int() }),
  }),
})

const runId = z.object({ id: ref('linkageRun') })
export const confirmLinkage = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/linkageRun/:id/confirm',
  summary: '确认启动联动',
  needs: 'rules.linkage',
  params: runId,
  query: ofProject,
  response: linkageRun,
})
/** Stops the device and disables its automatic start for half an hour. */
export const stopLinkage = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/linkageRun/:id/stop',
  summary: '人工停止联动',
  needs: 'rules.linkage',
  params: runId,
  query: ofProject,
  body: z.object({ reason: filled(200, '停止原因') }),
  response: linkageRun,
})

/** What an alarm of this device would start now, and what would prevent it. */
export const trialLinkage = endpoint({
  method: 'POST',
  path: '/api/v1/iot/rule/exec/:id/trial',
  summary: '模拟联动',
  needs: 'rules.linkage',
  unaudited: 'it only looks: no command is sent and nothing is written',
  params: z.object({ id: ref('exec') }),
  body: z.object({ deviceId: ref('device') }),
  response: z.object({
    command: z.string(),
    commandName: z.string(),
    targets: z.array(
      z.object({
        deviceId: z.string(),
        deviceName: z.string(),
        family: z.string(),
        online: z.boolean(),
        /**
         * start; confirm (after a person has confirmed); join (already running); hold (an interlock or the cooldown prevents it); blocked.
         */
        would: z.enum(['start', 'confirm', 'join', 'hold', 'blocked']),
        reason: z.string(),
        interlocks: z.array(
          z.object({
            key: z.string(),
            label: z.string(),
            /** Null: no reading is recent enough, so the interlock does not apply. */
            holds: z.boolean().nullable(),
            text: z.string(),
          }),
        ),
      }),
    ),
  }),
})
