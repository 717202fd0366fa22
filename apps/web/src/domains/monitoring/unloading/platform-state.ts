/** Assumed rated load if none is set, tonnes. */
export const usualRated = 1.5
/** One scaffold tube of 6 m, 48.3 x 3.6 mm, tonnes (JGJ 130-2011, table B.0.1: 3.97 kg/m). */
const tubeTonnes = 0.0238

export interface Place {
  building: string
  /** Undefined if the place names no floor. */
  floor: number | undefined
}

/** 住院楼 8 层北侧 is the 8th floor of 住院楼. */
export function placeOf(text: string): Place {
  const match = /^(.*?)\s*(\d+)\s*(层|F|楼层)/.exec(text)
  if (!match) return { building: text.replace(/卸料平台$/, '').trim() || '未登记位置', floor: undefined }
  return { building: match[1]?.trim() || '未登记楼栋', floor: Number(match[2]) }
}

/** Text of the board at the platform. */
export const boardWords = (rated: number | null): string => {
  const limit = rated ?? usualRated
  return `限载 ${limit} t，约 6 m 钢管 ${Math.floor(limit / tubeTonnes)} 根`
}

export type LoadTone = 'fine' | 'warning' | 'alarm'
/** The rated load has no reserve: warns from 80 % on. */
export const loadTone = (percent: number | undefined): LoadTone =>
  percent === undefined || percent < 80 ? 'fine' : percent < 100 ? 'warning' : 'alarm'

/** Platforms by building, highest floor first; those without a floor come last. */
export function byBuilding<P extends Place>(platforms: readonly P[]): { building: string; platforms: P[] }[] {
  return [...Map.groupBy(platforms, (one) => one.building)]
    .map(([building, own]) => ({ building, platforms: [...own].sort((a, b) => (b.floor ?? -1) - (a.floor ?? -1)) }))
    .sort((a, b) => a.building.localeCompare(b.building, 'zh', { numeric: true }))
}

/** Magnification of tilt: three degrees are hardly visible. */
export const tiltScale = 5
