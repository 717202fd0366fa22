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

/** What a camera says of its picture; a camera that is away comes first. */
export function stateOf(row: Pick<DeviceRow, 'online' | 'latest'>): CameraState {
  const values = row.latest?.values
  if (!row.online || values?.online === gone) return 'offline'
  if (values?.stream === streams.covered) return 'covered'
  return values?.stream === streams.none ? 'noStream' : 'online'
}

/** Where on a site a camera looks, by its name: how a tree of cameras is read. */
export const places = ['大门与道路', '塔机与升降机', '作业面', '基坑', '加工与库房'] as const
export function placeOf(name: string): (typeof places)[number] {
  if (/门|洗车|道路/.test(name)) return places[0]
  if (/塔机|吊钩|升降|制高点|球机/.test(name)) return places[1]
  if (/基坑/.test(name)) return places[3]
  return /加工|库|棚|堆场/.test(name) ? places[4] : places[2]
}

/** Cameras that ought to stand on every site. */
export const keySpots = [places[0], places[1]] as const

export const storageLimit = 90
export const storageOf = (row: Pick<DeviceRow, 'latest'>): number | undefined => {
  const used = row.latest?.values.storageUsed
  return typeof used === 'number' ? used : undefined
}
