import { usePref } from './pref-state.ts'

/** With our paddings antd's names are reversed: large = rows of 32 px, middle = rows of 40 px. */
export type Density = 'large' | 'middle'

export const densityKey = 'density'
export const defaultDensity: Density = 'large'

/** A table's own density if the user set one, else the user's general preference. */
export function useDensity(name: string): [Density, (next: Density) => void] {
  const [everywhere] = usePref<Density>(densityKey, defaultDensity)
  const [own, setOwn] = usePref<Density | undefined>(`${densityKey}:${name}`, undefined)
  return [own ?? everywhere, setOwn]
}
