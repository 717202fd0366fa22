import * as calls from '@zhugong/contract/alarms/endpoints'
import type { Serve } from '#kit/serve'
import { act } from './act.ts'
import { daily } from './daily-calls.ts'
import { fileOf } from './file.ts'
import { list } from './listing.ts'
import { noticeRoutes } from './notices.ts'
import { suppressionRoutes } from './suppressions.ts'

export function alarmRoutes(serve: Serve): void {
  serve(calls.listAlarms, list)
  serve(calls.getAlarm, fileOf)
  serve(calls.actOnAlarm, act)
  serve(calls.towerDailyAlarms, daily('towerCrane'))
  serve(calls.envDailyAlarms, daily('environment'))
  suppressionRoutes(serve)
  noticeRoutes(serve)
}
