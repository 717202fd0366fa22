import type { PanelSettings, ScreenSetting } from '@zhugong/contract/screens/model'
import { createContext, useContext } from 'react'
import type { CallData } from './hub.ts'

/** State shared by all panels of a wall: settings, selected district, and interactivity. */
export interface WallState {
  level: number
  setting: ScreenSetting | undefined
  /** Selected district, which filters the panels. */
  area: string | undefined
  setArea: (area: string | undefined) => void
  /** Opens a list in a new tab; undefined on a wall. */
  open: ((path: string) => void) | undefined
  now: number
  /** Thumbnail of a wall; does not play video. */
  still: boolean
  /** Panels whose app is not granted to the group. */
  closed: readonly string[]
}
export const WallContext = createContext<WallState>({
  level: 1,
  setting: undefined,
  area: undefined,
  setArea: () => undefined,
  open: undefined,
  now: 0,
  still: false,
  closed: [],
})
export const useWall = (): WallState => useContext(WallContext)

export interface PanelProps {
  title: string
  params: PanelSettings
  /** Size in cells. */
  w: number
  h: number
}

type Project = CallData<'main'>['projects'][number]
/** Projects of the selected district. */
export const inArea = (projects: readonly Project[], area: string | undefined): Project[] =>
  projects.filter((one) => !area || one.areaCode === area)

export const sum = <T>(list: readonly T[], of: (one: T) => number): number => list.reduce((n, one) => n + of(one), 0)
/** Formats a figure; percentages have one decimal so that columns align. */
export const said = (value: number | null | undefined, unit?: string): string =>
  value === null || value === undefined
    ? '--'
    : value.toLocaleString('en-US', unit === '%' ? { minimumFractionDigits: 1, maximumFractionDigits: 1 } : {})
export const percent = (part: number, whole: number): number | null => (whole === 0 ? null : Math.round((part / whole) * 1000) / 10)
