import { useEffect, useState } from 'react'
import { prefNow, readPref, writePref } from './prefs.ts'

export function usePref<T>(key: string, initial: T): [T, (next: T) => void] {
  const [value, setValue] = useState<T>(() => prefNow<T>(key) ?? initial)
  useEffect(() => {
    let here = true
    void readPref<T>(key).then((stored) => here && stored !== undefined && setValue(stored))
    return () => {
      here = false
    }
  }, [key])
  return [
    value,
    (next) => {
      setValue(next)
      void writePref(key, next)
    },
  ]
}
