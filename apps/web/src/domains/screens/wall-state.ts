import type { PanelSettings, ScreenSetting } from '@zhugong/contract/screens/model'
import { createContext, useContext } from 'react'
import type { Told } from './hub.ts'

/** What all panels of a wall know: whose it is, what it is narrowed to, and whether it may be pressed. */
export interface WallState {
  level: number
  setting: ScreenSetting | undefined
  /** District that the panels are narrowed to. */
  area: string | undefined
  setArea: (area: string | undefined) => void
  /** Opens a list in a tab of its own; nothing on a wall. */
  open: ((path: string) => void) | undefined
  now: number
  /** A small picture of a wall: nothing in it plays. */
  still: boolean
  /** Panels whose app the group has not. */
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
  /** Cells it covers. */
  w: number
  h: number
}

type Project = Told<'main'>['projects'][number]
/** Projects of the district the wall is narrowed to. */
export const inArea = (projects: readonly Project[], area: string | undefined): Project[] =>
  projects.filter((one) => !area || one.areaCode === area)

export const sum = <T>(list: readonly T[], of: (one: T) => number): number => list.reduce((n, one) => n + of(one), 0)
/** Formats a figure of a wall; shares have one decimal so that columns align. */
export const said = (value: number | null | undefined, unit?: string): string =>
  value === null || value === undefined
    ? '--'
    : value.toLocaleString('en-US', unit === '%' ? { minimumFractionDigits: 1, maximumFractionDigits: 1 } : {})
export const percent = (part: number, whole: number): number | null => (whole === 0 ? null : Math.round((part / whole) * 1000) / 10)
