/** Kinds of places, from the outside in; `area` is outdoors or a zone: 基坑, 塔吊区, 加工区, 生活区. */
export const placeKinds = ['building', 'unit', 'floor', 'room', 'area'] as const
export type PlaceKind = (typeof placeKinds)[number]
export const placeWords: Readonly<Record<PlaceKind, string>> = { building: '楼栋', unit: '单元', floor: '楼层', room: '房间', area: '区域' }
