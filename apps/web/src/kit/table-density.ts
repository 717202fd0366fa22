import { usePref } from './pref-state.ts'

/** antd's names turned round by our paddings: large = rows of 32, middle = rows of 40. */
export type Density = 'large' | 'middle'

export const densityKey = 'density'
export const defaultDensity: Density = 'large'

/** A table's own height of rows where somebody set one, else the one he likes everywhere. */
export function useDensity(name: string): [Density, (next: Density) => void] {
  const [everywhere] = usePref<Density>(densityKey, defaultDensity)
  const [own, setOwn] = usePref<Density | undefined>(`${densityKey}:${name}`, undefined)
  return [own ?? everywhere, setOwn]
}
