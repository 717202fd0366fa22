import type { getDevice } from '@zhugong/contract/equipment/endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'

export type Device = OutputFor<typeof getDevice>
