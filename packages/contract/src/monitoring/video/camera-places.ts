/** Place a camera looks at, from its name; groups the camera tree. The first match counts, the default is the work area. */
export const places = ['大门与道路', '塔机与升降机', '作业面', '基坑', '加工与库房'] as const
type CameraPlace = (typeof places)[number]
const rest: CameraPlace = '作业面'
/** Regular expressions that JavaScript and PostgreSQL interpret alike. */
export const placePatterns: readonly (readonly [CameraPlace, string])[] = [
  ['大门与道路', '门|洗车|道路'],
  ['塔机与升降机', '塔机|吊钩|升降|制高点|球机'],
  ['基坑', '基坑'],
  ['加工与库房', '加工|库|棚|堆场'],
]
const known = placePatterns.map(([place, pattern]) => [place, new RegExp(pattern)] as const)

export const placeOf = (name: string): CameraPlace => known.find(([, pattern]) => pattern.test(name))?.[0] ?? rest

/** Places that need a camera on every site. */
export const keySpots = ['大门与道路', '塔机与升降机'] as const satisfies readonly CameraPlace[]
