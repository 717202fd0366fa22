/** Limits of a dormitory by JGJ 146: area for each person, persons in a room. */
export const leastArea = 2.5
export const mostPersons = 16

/** Dictionary residenceType: only a dormitory has beds. */
export const dormitory = '1'
/** Whom a dormitory is for. */
export const usages: Readonly<Record<string, string>> = { 1: '男', 2: '女', 3: '夫妻' }
export const coupleUsage = '3'

interface RoomFacts {
  type: string
  area: number
  beds: number
}
/** How many beds an area allows. */
export const bedsFor = (area: number): number => Math.min(mostPersons, Math.floor(area / leastArea + 1e-9))

/** What is wrong with a room; undefined: nothing. */
export function whyNotRoom({ type, area, beds }: RoomFacts): { field: 'beds' | 'area'; text: string } | undefined {
  if (type !== dormitory) return beds > 0 ? { field: 'beds', text: '只有宿舍设床位' } : undefined
  if (beds < 1) return { field: 'beds', text: '宿舍至少一张床' }
  if (beds > mostPersons) return { field: 'beds', text: `每间最多 ${mostPersons} 人` }
  return beds > bedsFor(area) ? { field: 'beds', text: `人均不足 ${leastArea} ㎡，${area} ㎡最多 ${bedsFor(area)} 张床` } : undefined
}

interface Newcomer {
  name: string
  gender: string
  onSite: boolean
  /** The room where he lives now. */
  livesIn: string | null
}
/** Why a person may not move into a room; undefined: he may. `living`: genders of those who live there. */
export function whyNotIn(room: RoomFacts & { usage: string | null }, living: readonly string[], person: Newcomer): string | undefined {
  if (room.type !== dormitory) return '只有宿舍可以入住'
  if (!person.onSite) return `${person.name}不在本项目场内`
  if (person.livesIn) return `${person.name}已住 ${person.livesIn}，请办理调床`
  const persons = living.length + 1
  if (persons > mostPersons) return `每间最多 ${mostPersons} 人`
  if (room.area / persons < leastArea - 1e-9) return `入住后人均不足 ${leastArea} ㎡`
  if (room.usage === coupleUsage) return undefined
  if (room.usage !== null && room.usage !== person.gender) return `该房间为${usages[room.usage] ?? ''}宿舍`
  return living.some((gender) => gender !== person.gender) ? '男女混住须先标为夫妻房' : undefined
}
