import type { DeviceRow } from '@zhugong/contract/equipment/endpoints'

export type CameraState = 'online' | 'offline' | 'covered' | 'noStream'
export const cameraWords: Readonly<Record<CameraState, string>> = {
  online: '在线',
  offline: '离线',
  covered: '黑屏/遮挡',
  noStream: '无码流',
}
const streams = { none: '0', covered: '2' } as const
const gone = '0'

/** State of a camera's picture; offline takes precedence. */
export function stateOf(row: Pick<DeviceRow, 'online' | 'latest'>): CameraState {
  const values = row.latest?.values
  if (!row.online || values?.online === gone) return 'offline'
  if (values?.stream === streams.covered) return 'covered'
  return values?.stream === streams.none ? 'noStream' : 'online'
}

export const storageLimit = 90
export const storageOf = (row: Pick<DeviceRow, 'latest'>): number | undefined => {
  const used = row.latest?.values.storageUsed
  return typeof used === 'number' ? used : undefined
}
