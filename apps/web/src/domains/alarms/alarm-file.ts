import type { getAlarm } from '@zhugong/contract/alarms/endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'

export type AlarmFile = OutputFor<typeof getAlarm>
